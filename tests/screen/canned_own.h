/* Adds a scenario's own panels, one of each form, to a canned snapshot. */
#pragma once

#include "base/flat.h"

#include <math.h>
#include <string.h>

static inline void own_numbers(cs_flat *f, size_t rows, size_t cols,
                               const double *x, const char *key)
{
    double *to = cs_flat_array(f, rows, cols, "own/%s", key);
    if (to)
        memcpy(to, x, rows * cols * sizeof *x);
}

static inline void own_panel(cs_flat *f, size_t k, const char *name,
                             const char *title, const char *form)
{
    cs_flat_text(f, name, "own/%zu/name", k);
    cs_flat_text(f, title, "own/%zu/title", k);
    cs_flat_text(f, "What the scenario says of it.", "own/%zu/help", k);
    cs_flat_text(f, form, "own/%zu/form", k);
    cs_flat_text(f, "nats", "own/%zu/unit", k);
    cs_flat_text(f, "x.1", "own/%zu/axis", k);
}

static inline void own_curves(cs_flat *f)
{
    enum { N = 60 };
    double time[N], value[2 * N];
    for (size_t i = 0; i < N; i++) {
        time[i] = 100.0 * (double)(i + 1);
        value[i] = 3 * sin(0.2 * (double)i) + 1;
        value[N + i] = i < 10 ? (double)NAN : 0.1 * (double)i;
    }
    own_panel(f, 0, "gap", "gap: the gap between both", "curves");
    own_numbers(f, 1, N, time, "0/time");
    own_numbers(f, 2, N, value, "0/curves");
    cs_flat_text(f, "dmala", "own/0/label/0");
    cs_flat_text(f, "what is left", "own/0/label/1");
}

static inline void own_bars(cs_flat *f)
{
    static const double value[] = {12.5, -3, (double)NAN},
                        error[] = {1.5, (double)NAN, (double)NAN};
    own_panel(f, 1, "price", "price: what a draw costs", "bars");
    own_numbers(f, 1, 3, value, "1/value");
    own_numbers(f, 1, 3, error, "1/error");
    cs_flat_text(f, "dmala", "own/1/label/0");
    cs_flat_text(f, "a long name of something else", "own/1/label/1");
    cs_flat_text(f, "none", "own/1/label/2");
}

static inline void own_others(cs_flat *f)
{
    enum { N = 41 };
    double x[N], y[N], exact[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = -3 + 0.15 * (double)i;
        exact[i] = exp(-x[i] * x[i] / 2);
        y[i] = exact[i] + 0.05 * sin(9 * x[i]);
    }
    own_panel(f, 2, "counts", "counts", "table");
    cs_flat_text(f, "arm\tsteps\tremark", "own/2/head");
    cs_flat_text(f, "dmala\t5000\tas expected", "own/2/row/0");
    cs_flat_text(f, "acs\t5000", "own/2/row/1");
    own_panel(f, 3, "profile", "profile", "line");
    own_numbers(f, 1, N, x, "3/x/0");
    own_numbers(f, 1, N, y, "3/y/0");
    own_numbers(f, 1, N, exact, "3/exact/0");
    cs_flat_text(f, "", "own/3/label/0");
    own_panel(f, 4, "heights", "heights", "histogram");
    own_numbers(f, 1, N, x, "4/edges");
    own_numbers(f, 1, N - 1, y, "4/counts");
    own_numbers(f, 1, N - 1, exact, "4/exact");
    own_panel(f, 5, "broken", "broken", "line");
    cs_flat_text(f, "gap.lua:12: attempt to index a nil value (field 'walk')",
                 "own/5/why");
    own_panel(f, 6, "trace", "a name that is taken", "line");
    own_panel(f, 7, "no name", "a name with a blank", "line");
}

static inline void canned_own(cs_flat *f)
{
    own_curves(f);
    own_bars(f);
    own_others(f);
}
