/* Adds predictive checks to a canned snapshot: counts with a rootogram, zeros
 * and ones with calibration, and numbers with a density. */
#pragma once

#include "base/flat.h"
#include "stat/predictive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static inline void predictive_rows(cs_flat *f, size_t check, size_t arm,
                                   const char *view,
                                   const cs_predictive_row *row, size_t n)
{
    double *to = cs_flat_array(f, n, sizeof *row / sizeof(double),
                               "predictive/%zu/arm/%zu/%s", check, arm, view);
    if (to)
        memcpy(to, row, n * sizeof *row);
}

/* Rows whose quantiles are around `mid`; each fifth datum is outside. */
static inline cs_predictive_row predictive_row(double x, double mid,
                                               double spread, size_t i)
{
    double off = i % 5 == 4 ? 2.5 : sin((double)i);
    return (cs_predictive_row){.x = x,
                               .data = fmax(0, mid + off * spread),
                               .low = fmax(0, mid - 1.6 * spread),
                               .lower = fmax(0, mid - 0.7 * spread),
                               .mid = mid,
                               .upper = mid + 0.7 * spread,
                               .high = mid + 1.6 * spread};
}

static inline void predictive_statistic(cs_flat *f, size_t check, size_t arm,
                                        size_t s, double p)
{
    enum { BARS = 32 };
    double *edge = cs_flat_array(
        f, 1, BARS + 1, "predictive/%zu/arm/%zu/%zu/edges", check, arm, s);
    double *share = cs_flat_array(
        f, 1, BARS, "predictive/%zu/arm/%zu/%zu/shares", check, arm, s);
    double *test = cs_flat_array(f, 1, 6, "predictive/%zu/arm/%zu/test/%zu",
                                 check, arm, s);
    const double values[6] = {17.5, 12.5, 8.25, 19, p, 0.01};
    for (size_t b = 0; edge && share && b <= BARS; b++) {
        edge[b] = 5 + 0.5 * (double)b;
        if (b < BARS)
            share[b] = exp(-0.02 * ((double)b - 14) * ((double)b - 14)) / 12.5;
    }
    if (test)
        memcpy(test, values, sizeof values);
}

static inline void predictive_check(cs_flat *f, size_t check, const char *name,
                                    const char *unit, const char *first,
                                    size_t arms)
{
    static const double size[4] = {400, 0, 0.52, 0.91},
                        less[4] = {397, 3, 0.45, 0.8};
    cs_flat_text(f, name, "predictive/%zu/name", check);
    cs_flat_text(f, unit, "predictive/%zu/unit", check);
    cs_flat_text(f, first, "predictive/%zu/view/0", check);
    cs_flat_text(f, "max", "predictive/%zu/statistic/0", check);
    cs_flat_text(f, "share_of_zeros", "predictive/%zu/statistic/1", check);
    for (size_t arm = 0; arm < arms; arm++) {
        double *to =
            cs_flat_array(f, 1, 4, "predictive/%zu/arm/%zu/size", check, arm);
        if (to)
            memcpy(to, arm == 1 ? less : size, sizeof size);
        predictive_statistic(f, check, arm, 0, 0.082);
        predictive_statistic(f, check, arm, 1, arm == 1 ? 0 : 0.99);
    }
}

static inline void canned_predictive(cs_flat *f, size_t arms)
{
    enum { GRID = 96, COUNTS = 9, GROUPS = 8, ROWS = 60 };
    cs_predictive_row row[GRID];
    cs_flat_text(f, "1", "predictive/there");
    cs_flat_text(f, "", "predictive/why");
    predictive_check(f, 0, "roaches", "caught", "rootogram", arms);
    predictive_check(f, 1, "switched", "", "calibration", arms);
    predictive_check(f, 2, "height", "cm", "density", arms);
    cs_flat_text(f, "calibration", "predictive/1/view/1");
    for (size_t arm = 0; arm < arms; arm++) {
        for (size_t i = 0; i < COUNTS; i++)
            row[i] =
                predictive_row((double)i, 90 * exp(-0.6 * (double)i), 4, i);
        predictive_rows(f, 0, arm, "rootogram", row, COUNTS);
        for (size_t i = 0; i < GROUPS; i++) {
            double p = (0.5 + (double)i) / GROUPS;
            row[i] = predictive_row(p, p, 0.08, i);
        }
        predictive_rows(f, 1, arm, "calibration", row, GROUPS);
        for (size_t i = 0; i < GRID; i++) {
            double z = ((double)i - 45) / 15;
            row[i] =
                predictive_row(150 + 0.4 * (double)i, 0.06 * exp(-z * z / 2),
                               0.005 * exp(-z * z / 2), 1);
        }
        predictive_rows(f, 2, arm, "density", row, GRID);
        for (size_t i = 0; i < ROWS; i++)
            row[i] =
                predictive_row((double)i + 1, 165 + 6 * sin((double)i), 4, i);
        predictive_rows(f, 2, arm, "interval", row, ROWS);
    }
}
