/* Standard errors of effective sample sizes, by the jackknife over chains,
 * which are independent. They apply to the logarithm of the size per chain:
 * sizes are compared as ratios, and a sample with one chain less has a smaller
 * size. */
#pragma once

#include "run/arms/spec.h"

/* Fewer than LEAST chains give no error. More than MOST form groups. */
enum { CS_JACKKNIFE_LEAST = 4, CS_JACKKNIFE_MOST = 8 };

/* Returns the number of groups for n chains; 0: too few for an error. */
size_t cs_jackknife_groups(size_t n);

/* Returns the jackknife standard error from without[groups], the figures
 * without each group in turn: sqrt((g - 1) / g * sum of squares about the mean)
 * (Efron 1982); NAN if one is not finite or there are none. */
double cs_jackknife_error(const double *without, size_t groups);

/* Reports some lanes of probe number `probe` under `prefix`; supplied by the
 * caller. */
typedef void cs_lanes_report(cs_run *r, size_t probe,
                             const cs_lane_memory *lane, size_t n,
                             const char *prefix, cs_flat *out);

/* Adds to the report of the probe diagnostics under `prefix` its size_errors
 * [S], one per row of the table, NAN: unknown, and their common size_freedom;
 * nothing if too few of the n chains live. If the probe has not seen all
 * scalars at every step, only the error of row `worst` is known, which is
 * `error`. */
void cs_size_errors_put(cs_run *r, size_t probe, const cs_lane_memory *lane,
                        size_t n, cs_lanes_report *report, size_t worst,
                        double error, const char *prefix, cs_flat *out);
