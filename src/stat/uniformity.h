/* Whether ranks are uniform: n of them, each on 0 .. places - 1, by their empirical
 * distribution function as a whole.
 *
 * With R_k the number of ranks below k, R_1, R_2, ... of uniform ranks is a Markov
 * chain, R_k+1 - R_k binomial among the n - R_k others with probability
 * 1 / (places - k), so that the chance to stay within any band at all k is a sum
 * that can be made exactly (Sailynoja, Buerkner and Vehtari, "Graphical test for
 * discrete uniformity and its applications in goodness-of-fit evaluation and
 * multiple sample comparison", 2022, section 2). Bands are where each R_k, which is
 * binomial, has more than gamma / 2 on either side. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The chance that uniform ranks have low[k - 1] <= R_k <= high[k - 1] for all k =
 * 1 .. places - 1. NAN: no memory. */
double cs_ecdf_coverage(size_t n, size_t places, const double *low,
                        const double *high);

/* The band of pointwise level gamma, low and high [places - 1]. */
void cs_ecdf_band(size_t n, size_t places, double gamma, double *low,
                  double *high);

/* The pointwise level whose band uniform ranks leave nowhere with a probability of
 * at least `level`, and no more than discreteness makes it. NAN: no memory. */
double cs_ecdf_level(size_t n, size_t places, double level);

typedef struct cs_uniformity {
    double p; /* that uniform ranks stray as far from the diagonal, somewhere */
    double where; /* share k / places at which they stray most */
    double chi2;  /* of the counts in `bins` equal bins */
    double chi2_p;
    size_t bins;
    double mean, mean_error; /* of (rank + 1/2) / places: 1/2 */
    double spread,
        spread_error; /* their variance over that of uniform ranks: 1 */
} cs_uniformity;

/* Needs n >= 2 ranks that are whole and within; false: they are not, or there is no
 * memory. `bins` are as many as are a power of 2, divide the places and hold 5
 * ranks each, 16 at most. */
bool cs_uniformity_of(const double *rank, size_t n, size_t places,
                      cs_uniformity *out);

/* How many ranks are in each of `bins` equal bins, which divide the places. */
void cs_rank_histogram(const double *rank, size_t n, size_t places, size_t bins,
                       double *count);
