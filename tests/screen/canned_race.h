/* A synthetic snapshot of a race. Each test sets the differences between the
 * arms. */
#pragma once

#include "base/flat.h"
#include "session/client/snapshot_rows.h"

#include <math.h>
#include <string.h>

/* Arm i after `steps` steps. A step costs `cost` evaluations per chain, half of
 * which are gradients. The distance from the target at step s is `scale` /
 * sqrt(s), sampled at `points` times. The arm has visited modes 0 to `modes` -
 * 1. Chain m % chains visited mode m first, at step 100 (m + 1). */
typedef struct raced {
    const char *name;
    size_t chains;
    double steps, cost, ess, error, scale;
    size_t modes;
    bool inexact;
    const char *broken;
} raced;

enum { RACED_POINTS = 40, RACED_MODES = 25 };

static inline void raced_work(cs_flat *f, size_t i, const raced *a)
{
    double all = a->steps * (double)a->chains;
    cs_flat_text(f, a->name, "arm/%zu/name", i);
    cs_flat_text(f, "walk", "arm/%zu/kernel", i);
    cs_flat_number(f, !a->inexact, "arm/%zu/exact", i);
    cs_flat_text(f, a->broken ? a->broken : "", "arm/%zu/broken", i);
    cs_flat_number(f, (double)a->chains, "arm/%zu/chains", i);
    cs_flat_number(f, a->steps, "arm/%zu/steps", i);
    cs_flat_number(f, a->cost * all, "arm/%zu/evaluations", i);
    cs_flat_number(f, a->cost > 1 ? a->cost * all / 2 : 0, "arm/%zu/gradients",
                   i);
    cs_flat_number(f, all, "arm/%zu/log_densities", i);
    cs_flat_number(f, 1e-6 * a->cost * all, "arm/%zu/seconds", i);
}

static inline void raced_sizes(cs_flat *f, size_t i, const raced *a)
{
    cs_figures *row = CS_FLAT_ROWS(f, cs_figures, 3, CS_KEY_FIGURES, i);
    const double size[] = {3, 1, 2};
    for (size_t k = 0; k < 3; k++)
        row[k] = (cs_figures){.rhat = 1, .bulk = 400, .ess = a->ess * size[k]};
    cs_flat_text(f, "lp__ x y", "arm/%zu/diagnostics/names", i);
    if (!(a->error >= 0))
        return;
    double *error =
        cs_flat_array(f, 1, 3, "arm/%zu/diagnostics/size_errors", i);
    error[0] = error[2] = 2 * a->error;
    error[1] = a->error;
    cs_flat_number(f, 3, "arm/%zu/diagnostics/size_freedom", i);
}

static inline void raced_series(cs_flat *f, size_t i, const raced *a)
{
    enum { T = RACED_POINTS, M = RACED_MODES };
    cs_flat_text(f, "tv", "arm/%zu/distance/names", i);
    double *time = cs_flat_array(f, 1, T, "arm/%zu/distance/time", i);
    double *curve = cs_flat_array(f, 1, T, "arm/%zu/distance/curve", i);
    double *error = cs_flat_array(f, 1, T, "arm/%zu/distance/error", i);
    double *when = cs_flat_array(f, 1, T, "arm/%zu/trace/time", i);
    double *low = cs_flat_array(f, a->chains, T, "arm/%zu/trace/0/low", i);
    double *high = cs_flat_array(f, a->chains, T, "arm/%zu/trace/0/high", i);
    cs_flat_text(f, "energy", "arm/%zu/trace/names", i);
    for (size_t k = 0; k < T; k++) {
        time[k] = when[k] = a->steps * ((double)k + 1) / T;
        curve[k] = a->scale / sqrt(time[k]);
        error[k] = a->chains >= 4 ? 0.05 * curve[k] : (double)NAN;
        for (size_t c = 0; c < a->chains; c++) {
            low[c * T + k] = -3 * log10(time[k]) - (double)c / 10;
            high[c * T + k] = low[c * T + k] + 4;
        }
    }
    double *first = cs_flat_array(f, a->chains, M, "arm/%zu/modes/first", i);
    double *visits = cs_flat_array(f, a->chains, M, "arm/%zu/modes/visits", i);
    double *jumps = cs_flat_array(f, 1, a->chains, "arm/%zu/modes/jumps", i);
    for (size_t k = 0; k < a->chains * M; k++) {
        size_t m = k % M;
        bool seen = m < a->modes && k / M == m % a->chains;
        first[k] = seen ? 100 * ((double)m + 1) : (double)NAN;
        visits[k] = seen;
    }
    for (size_t c = 0; c < a->chains; c++)
        jumps[c] = a->modes > a->chains;
    cs_row_acceptance *rows =
        CS_FLAT_ROWS(f, cs_row_acceptance, a->chains, CS_KEY_ACCEPTANCE, i);
    for (size_t c = 0; c < a->chains; c++)
        rows[c] = (cs_row_acceptance){a->steps, 0.5 + 0.01 * (double)(c + i),
                                      0.5, 0.5};
}

static inline void canned_race(cs_flat *f, void *memory, size_t bytes,
                               const raced *arm, size_t n)
{
    cs_flat_begin(f, memory, bytes);
    cs_flat_text(f, "running", "run/state");
    cs_flat_text(f, "A race", "run/title");
    cs_flat_text(f, "race", "run/panels");
    cs_flat_number(f, (double)n, "run/arms");
    cs_flat_number(f, n ? arm->steps : 0, "run/steps");
    for (size_t i = 0; i < n; i++) {
        raced_work(f, i, &arm[i]);
        if (!(arm[i].steps > 0))
            continue;
        raced_sizes(f, i, &arm[i]);
        raced_series(f, i, &arm[i]);
    }
}
