/* Tests whether n ranks on 0 .. places - 1 are uniform, by their complete
 * empirical distribution function.
 *
 * Let R_k be the number of ranks below k. For uniform ranks, R_1, R_2, ... is a
 * Markov chain: given R_k, the difference R_k+1 - R_k is binomial with n - R_k
 * trials and probability 1 / (places - k). The probability that R_k is within a
 * given band for all k is therefore a sum that can be computed exactly
 * (Sailynoja, Buerkner and Vehtari, "Graphical test for discrete uniformity and
 * its applications in goodness-of-fit evaluation and multiple sample
 * comparison", 2022, section 2). Each R_k is binomial. The band of level gamma
 * contains the values of R_k that have more than gamma / 2 of the probability
 * in the tail on either side. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns the probability that uniform ranks have low[k - 1] <= R_k <= high[k -
 * 1] for all k = 1 .. places - 1; NAN if memory is short. */
double cs_ecdf_coverage(size_t n, size_t places, const double *low,
                        const double *high);

/* Computes the band of pointwise level gamma: low[places - 1] and high[places -
 * 1]. */
void cs_ecdf_band(size_t n, size_t places, double gamma, double *low,
                  double *high);

/* Returns the pointwise level of the band that contains the whole curve of
 * uniform ranks with probability at least `level`. Since ranks are discrete,
 * the probability may exceed `level`; the band is the narrowest possible.
 * Returns NAN if memory is short. */
double cs_ecdf_level(size_t n, size_t places, double level);

typedef struct cs_uniformity {
    /* p-value: the probability that uniform ranks deviate at least this much
     * from the diagonal at one or more places */
    double p;
    double where; /* share k / places at which the deviation is largest */
    double chi2;  /* statistic of the counts in `bins` equal bins */
    double chi2_p;
    size_t bins;
    double mean, mean_error; /* mean of (rank + 1/2) / places; expected: 1/2 */
    /* variance of the ranks divided by the variance of uniform ranks; expected:
     * 1 */
    double spread, spread_error;
} cs_uniformity;

/* Tests n >= 2 ranks, which must be integers within range. Returns false if the
 * ranks are invalid or memory is short. `bins` becomes the largest power of 2,
 * at most 16, that divides the places and for which there are at least 5 ranks
 * per bin. */
bool cs_uniformity_of(const double *rank, size_t n, size_t places,
                      cs_uniformity *out);

/* Counts the ranks in each of `bins` equal bins. The number of places must be a
 * multiple of `bins`. */
void cs_rank_histogram(const double *rank, size_t n, size_t places, size_t bins,
                       double *count);
