/* Autocovariances of series, and ranks. */
#pragma once

#include "base/status.h"
#include "stat/sort.h"

#include <stddef.h>

/* Computes the autocovariances out[k], k < lags <= n: the sum of (x_i -
 * mean)(x_{i+k} - mean), divided by n (not by n - k) at every lag. Averages the
 * result over the series x[chains][n]; each series has its own mean. Uses the
 * FFT in blocks; the lags determine the size of a block. Fails only if memory
 * is short or lags exceed n. */
cs_status cs_autocovariance(const double *x, size_t n, size_t chains,
                            size_t lags, double *out, cs_error *err);

/* The same for series[parts][n] at any addresses. Fails only if memory is
 * short. */
cs_status cs_autocovariance_of(const double *const *series, size_t parts,
                               size_t n, size_t lags, double *out);

/* Computes rank[i] of x[i] among x[n], from 1; ties share their mean rank. */
cs_status cs_ranks(const double *x, size_t n, double *rank, cs_error *err);

/* Computes normal scores of ranks, Phi^-1((r - 3/8) / (n + 1/4)) (Blom 1958):
 * equation (14) of Vehtari, Gelman, Simpson, Carpenter and Buerkner,
 * "Rank-normalization, folding, and localization" (2021). */
cs_status cs_normal_scores(const double *x, size_t n, double *z, cs_error *err);

/* A cache of the normal scores of all ranks among n draws, and scratch memory
 * for a diagnosis. It is used for several quantities that have n draws each.
 * Each score is computed at its first use. Start with {0}; free with
 * cs_scores_free. */
typedef struct cs_scores {
    /* [n / 2 + 1] for ranks 1, 2 ... up to the middle, and for ranks 1.5, 2.5
     * ...; the score of rank n + 1 - r is minus that of r. NAN: not yet
     * computed; NULL: none of them is computed [own] */
    double *known[2];
    size_t n;
    double *scratch; /* [words] [own] */
    size_t words;
} cs_scores;
/* Returns scratch[words], with any content; NULL if memory is short. */
double *cs_scores_scratch(cs_scores *s, size_t words);
void cs_scores_free(cs_scores *s);

/* Returns the normal score of a rank among n values. Rank 1 is the smallest; a
 * rank is a multiple of 1/2. */
double cs_score(cs_scores *s, double rank, size_t n);

/* Returns known[half] for n values; NULL: memory is short. */
const double *cs_scores_known(cs_scores *s, size_t n, size_t half);

/* Sets z[order[i].at] to the normal score of order[i].value among n values in
 * ascending order. */
void cs_scores_in_order(cs_scores *s, const cs_sort_place *order, size_t n,
                        double *z);
