/* Effective sample sizes of chains that are split in halves, without copies of
 * the draws. The number of lags is increased only as far as Geyer's sequence
 * needs it. The values are those of cs_ess_basic (stat/diagnostics.h). */
#pragma once

#include "stat/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of chains: part c is x[n] from x + (c / 2) * stride + (c % 2) * second.
 * Two parts belong to a chain. */
typedef struct cs_halves {
    const double *x; /* [borrowed] */
    size_t n, parts, stride, second;
} cs_halves;

/* Returns the halves of x[chains][n]. If n is odd, the middle draw of each
 * chain belongs to neither half. */
cs_halves cs_halves_of(const double *x, size_t n, size_t chains);

/* Returns the mean of all draws of the parts, n > 0. */
double cs_halves_mean(const cs_halves *h);

/* Returns the variance of all draws of the parts, n > 0, and, if `mean` is not
 * NULL, their mean. */
double cs_halves_variance(const cs_halves *h, double *mean);

/* Computes both, and returns the reason why the draws have no diagnostics
 * (cs_draws_unusable), or NULL. */
const char *cs_halves_look(const cs_halves *h, double *mean, double *variance);

/* Returns the effective size. NAN: the halves have fewer than three draws, a
 * draw is not finite, all draws are equal, or memory is short; only in the
 * last case sets *full to true. */
double cs_halves_ess(const cs_halves *h, bool *full);

/* The same for finite draws that are not all equal, if the means of the parts
 * are known: mean[parts]. */
double cs_halves_ess_about(const cs_halves *h, const double *mean, bool *full);

/* The effective size without the variance of the means of the parts: the effective size
 * of chains that agree. */
double cs_halves_ess_within(const cs_halves *h, bool *full);

/* Returns R-hat of the parts (Gelman and Rubin 1992); HUGE_VAL: no part varies.
 * NAN: the parts have fewer than two draws, all draws are equal or some are not
 * finite, or memory is short; only in the last case sets *full to true. If
 * `odds` is not NULL, sets *odds to the p-value of the means of the parts: the
 * probability that parts with equal distributions and equal autocorrelations
 * have means at least this far apart. */
double cs_halves_rhat(const cs_halves *h, double *odds, bool *full);

/* Returns the effective size of the indicator x <= at. Counts pairs of bits, so
 * that the sums are exact. */
double cs_halves_ess_below(const cs_halves *h, double at, bool *full);

/* Computes tau for n draws per chain by Geyer's initial monotone sequence from
 * the autocorrelations rho[lags + 2] (section 3.2 of Vehtari et al.). The
 * details are those of the R package posterior: the loop ends at n - 5, a first
 * negative pair is left out, and the last even term, if positive, counts once.
 * Returns NAN if more lags are needed. Sets *cut to the number of lags in the
 * sum. */
double cs_geyer(double *rho, size_t lags, size_t n, size_t *cut);
