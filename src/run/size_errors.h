/* How sure effective sizes are: the jackknife over chains, which are
 * independent. Of the logarithm of an effective size a chain, for sizes are
 * compared as ratios, and all chains but one have less of it. */
#pragma once

#include "run/run.h"

/* Fewer chains tell no error. More than MOST are looked at in so many groups. */
enum { CS_JACKKNIFE_LEAST = 4, CS_JACKKNIFE_MOST = 8 };

/* How many groups n chains make, 0: they tell no error. */
size_t cs_jackknife_groups(size_t n);

/* The standard error of what without[groups] says of an arm without each of
 * its groups in turn, sqrt((g - 1) / g * sum of squares about the mean) (Efron
 * 1982); NAN where one is not finite, or there are none. */
double cs_jackknife_error(const double *without, size_t groups);

/* A report of some lanes of probe number `probe` under `prefix`: how the
 * caller makes one. */
typedef void cs_lanes_report(cs_run *r, size_t probe,
                             const cs_lane_memory *lane, size_t n,
                             const char *prefix, cs_flat *out);

/* Puts beside what the probe diagnostics has reported under `prefix` its
 * size_errors [S], a row of the table each, NAN: not known, and the
 * size_freedom of them all; nothing where too few of the n chains live. Where
 * it has not seen all of them at every step that of row `worst` alone is known,
 * which is `error`. */
void cs_size_errors_put(cs_run *r, size_t probe, const cs_lane_memory *lane,
                        size_t n, cs_lanes_report *report, size_t worst,
                        double error, const char *prefix, cs_flat *out);
