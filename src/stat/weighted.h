/* Draws with weights: importance sampling estimates and their errors.
 *
 * Weights come as logarithms up to a common constant; -inf is a weight of 0.
 * Neither the constant nor the largest log weight (1e6 or more) matters. */
#ifndef CS_STAT_WEIGHTED_H
#define CS_STAT_WEIGHTED_H

#include <stdbool.h>
#include <stddef.h>

/* w[i] = exp(log_w[i]) / the largest of them; w may be log_w. False, and w is
 * not written, when one is NaN or +inf, or none is above -inf. */
bool cs_weights_of(const double *log_w, size_t n, double *w);

/* sum w x / sum w, w[n] >= 0. NAN when they sum to nothing. */
double cs_weighted_mean(const double *x, const double *w, size_t n);

/* sum w (x - mean)^2 / (sum w - sum w^2 / sum w): with equal weights the
 * divisor is n - 1. NAN below an effective size above 1. */
double cs_weighted_variance(const double *x, const double *w, size_t n);

/* The least x whose share of the weight, with all below it, is at least p: the
 * inverse of the weighted distribution function. NAN when the weights sum to
 * nothing, an x of weight is NaN, or memory is short. */
double cs_weighted_quantile(const double *x, const double *w, size_t n,
                            double p);

/* The standard error of the weighted mean R of x[chains][n], w likewise, by
 * the means of `batches` (at least 2) batches of successive draws of each
 * chain: with S and W the sums of w x and w of a batch, B of them in all,
 *
 *     sqrt( B / (B - 1) sum (S - R W)^2 ) / sum W,
 *
 * the delta method for a ratio. What is left at a chain's end when n is no
 * multiple of `batches` counts to its last batch. NAN without weight. */
double cs_weighted_mcse(const double *x, const double *w, size_t chains,
                        size_t n, size_t batches);

/* Kish's effective size of weights w[n] >= 0: (sum w)^2 / sum w^2. NAN when
 * they sum to nothing. */
double cs_weight_size(const double *w, size_t n);

/* Systematic resampling: from[k], k < m, is the draw that the k-th of m
 * unweighted draws copies; draw i is taken floor or ceil of m w_i / sum w
 * times, in order. `uniform` in [0, 1) is the one random number. False when
 * the weights sum to nothing. */
bool cs_resample_systematic(const double *w, size_t n, double uniform, size_t m,
                            size_t *from);

#endif
