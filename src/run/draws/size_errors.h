/* Standard errors of effective sample sizes, by the jackknife over independent
 * chains. They are errors of log(ESS per chain), because ESS values are
 * compared as ratios, and because leaving out a chain reduces the total ESS. */
#pragma once

#include "run/arms/spec.h"

/* Minimum number of chains for an error; maximum number of groups. */
enum { CS_JACKKNIFE_LEAST = 4, CS_JACKKNIFE_MOST = 8 };

/* Returns the number of groups for n chains. If n is too small for an error,
 * returns 0. */
size_t cs_jackknife_groups(size_t n);

/* Returns the jackknife standard error of a figure: sqrt((g - 1) / g * sum of
 * squares about the mean), where g = groups (Efron 1982). without[i] is the
 * value of the figure if group i is left out. Returns NAN if any value is not
 * finite or if groups is 0. */
double cs_jackknife_error(const double *without, size_t groups);

/* Writes the report of probe number `probe` for some of the lanes, with the key
 * prefix `prefix`. The caller supplies this function. */
typedef void cs_lanes_report(cs_run *r, size_t probe,
                             const cs_lane_memory *lane, size_t n,
                             const char *prefix, cs_flat *out);

/* Adds size_errors [S] and size_freedom to the report of the probe diagnostics.
 * size_errors has a standard error for each row of the table (NAN: unknown).
 * size_freedom is the number of degrees of freedom that all these errors have.
 * If too few of the n chains are alive (have not failed), adds nothing. If the
 * probe has not observed all scalars at every step, only row `worst` has an
 * error, with the value `error`. */
void cs_size_errors_put(cs_run *r, size_t probe, const cs_lane_memory *lane,
                        size_t n, cs_lanes_report *report, size_t worst,
                        double error, const char *prefix, cs_flat *out);
