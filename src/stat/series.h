/* Autocovariance of series, and ranks. */
#pragma once

#include "base/status.h"
#include "stat/sort.h"

#include <stddef.h>

/* out[k], k < lags <= n: sum of (x_i - mean)(x_{i+k} - mean), divided by n at
 * every lag (not n - k), the mean of it over the series x[chains][n], each with
 * its own mean; by FFT, in blocks of no more than is needed for the lags. Fails
 * only for want of memory or when lags exceed n. */
cs_status cs_autocovariance(const double *x, size_t n, size_t chains,
                            size_t lags, double *out, cs_error *err);

/* rank[i] of x[i] among x[n], from 1; ties share their mean rank. */
cs_status cs_ranks(const double *x, size_t n, double *rank, cs_error *err);

/* Ranks through the normal quantile, Phi^-1((r - 3/8) / (n + 1/4)) (Blom
 * 1958): equation (14) of Vehtari, Gelman, Simpson, Carpenter and Buerkner,
 * "Rank-normalization, folding, and localization" (2021). */
cs_status cs_normal_scores(const double *x, size_t n, double *z, cs_error *err);

/* Normal scores of ranks among n, each found when it is first asked for: for
 * several quantities of as many draws. Begin with {0}, end with cs_scores_free. */
typedef struct cs_scores {
    double *known; /* [2 n] of ranks 1, 1.5 ... n; NAN: not yet [own] */
    size_t n;
} cs_scores;
void cs_scores_free(cs_scores *s);

/* z[order[i].at] = the normal score of order[i].value among n that ascend. */
void cs_scores_in_order(cs_scores *s, const cs_sort_place *order, size_t n,
                        double *z);
