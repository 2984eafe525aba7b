/* Draws with weights: importance sampling estimates and their errors.
 *
 * Weights come as logarithms up to a common constant; -inf is a weight of 0.
 * Neither the constant nor the largest log weight (1e6 or more) matters. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

/* w[i] = exp(log_w[i]) / the largest of them; w may be log_w. False, and w is
 * not written, when one is NaN or +inf, or none is above -inf. */
bool cs_weights_of(const double *log_w, size_t n, double *w);

/* Of several chains: w[chains][n] likewise, those of each chain divided by
 * their mean, so that a constant of a chain's does not matter and chains count
 * alike. w may be log_w. False also when a chain has none above -inf. */
bool cs_weights_of_chains(const double *log_w, size_t chains, size_t n,
                          double *w);

/* Whether all log weights of each chain are equal, but for those of -inf. */
bool cs_weights_alike(const double *log_w, size_t chains, size_t n);

/* sum w x / sum w, w[n] >= 0. NAN when they sum to nothing. */
double cs_weighted_mean(const double *x, const double *w, size_t n);

/* sum w (x - mean)^2 / (sum w - sum w^2 / sum w): with equal weights the
 * divisor is n - 1. NAN below an effective size above 1. */
double cs_weighted_variance(const double *x, const double *w, size_t n);

/* Draws in order, for quantiles. */
typedef struct cs_weighted_order {
    double *x, *below; /* [n] of weight above 0; their sums [own, cs_free x] */
    size_t n;
} cs_weighted_order;

/* False where no quantile is: the weights sum to nothing, an x of weight is NaN,
 * or memory is short. Free o->x. */
bool cs_weighted_sort(const double *x, const double *w, size_t n,
                      cs_weighted_order *o);
/* The least x whose share of the weight, with all below it, is at least p: the
 * inverse of the weighted distribution function. */
double cs_weighted_quantile_of(const cs_weighted_order *o, double p);

/* The standard error of the weighted mean R of d with w[chains][n], from
 * cs_weights_of_chains: that of the mean of
 *
 *     w (x - R),
 *
 * the delta method for a ratio, where the draws are batches of their own:
 * their correlation and the differences of chains enter as in cs_mcse_mean. */
double cs_weighted_error(cs_draws d, const double *w);

/* All that is said of weighted draws, weights likewise: mean, sd, error and
 * (sd / error)^2 for the effective size; quantiles, whose errors are those of
 * the weighted distribution function F there, taken back through F:
 * (q(p + e) - q(p - e)) / 2. What ranks draws is undefined, and `why` is
 * cs_why_weights, or "out of memory". */
cs_diagnosis cs_diagnose_weighted(cs_draws d, const double *w);
extern const char cs_why_weights[];

/* Kish's effective size of weights w[n] >= 0: (sum w)^2 / sum w^2. NAN when
 * they sum to nothing. */
double cs_weight_size(const double *w, size_t n);

/* Systematic resampling: from[k], k < m, is the draw that the k-th of m
 * unweighted draws copies; draw i is taken floor or ceil of m w_i / sum w
 * times, in order. `uniform` in [0, 1) is the one random number. False when
 * the weights sum to nothing. */
bool cs_resample_systematic(const double *w, size_t n, double uniform, size_t m,
                            size_t *from);
