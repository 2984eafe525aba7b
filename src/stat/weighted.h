/* Draws with weights: importance sampling estimates and their errors.
 *
 * Weights are given as logarithms up to a common constant; -inf is a weight of
 * 0. Neither the constant nor the size of the largest log weight (1e6 or more)
 * affects the results. */
#pragma once

#include "stat/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

/* Computes w[i] = exp(log_w[i] - max log_w). w may be log_w. Returns false and
 * does not write w if a log weight is NaN or +inf, or if all are -inf. */
bool cs_weights_of(const double *log_w, size_t n, double *w);

/* Computes the weights w[chains][n] of several chains. Divides the weights of
 * each chain by their mean, so that a constant per chain does not matter and
 * all chains count equally. w may be log_w. Returns false if a log weight is
 * NaN or +inf, or if all log weights of a chain are -inf. */
bool cs_weights_of_chains(const double *log_w, size_t chains, size_t n,
                          double *w);

/* Returns true if, within each chain, all log weights other than -inf are
 * equal. */
bool cs_weights_alike(const double *log_w, size_t chains, size_t n);

/* Returns sum w x / sum w, w[n] >= 0; NAN if the weights sum to 0. */
double cs_weighted_mean(const double *x, const double *w, size_t n);

/* Returns sum w (x - mean)^2 / (sum w - sum w^2 / sum w). If all weights are 1,
 * the divisor is n - 1. Returns NAN if the effective size is not above 1. */
double cs_weighted_variance(const double *x, const double *w, size_t n);

/* Sorted draws for quantiles. */
typedef struct cs_weighted_order {
    /* [n] draws with weight above 0, and cumulative weights [own, cs_free x] */
    double *x, *below;
    size_t n;
} cs_weighted_order;

/* Sorts the draws with their weights. Returns false if no quantile is defined
 * (the weights sum to 0, or an x with positive weight is NaN), or if memory
 * runs out. The caller frees o->x. */
bool cs_weighted_sort(const double *x, const double *w, size_t n,
                      cs_weighted_order *o);
/* Returns the smallest x at which the cumulative share of the weight is at
 * least p: the inverse of the weighted distribution function. */
double cs_weighted_quantile_of(const cs_weighted_order *o, double p);

/* Returns the standard error of the weighted mean R of d, where w[chains][n]
 * are from cs_weights_of_chains. By the delta method for a ratio, this is the
 * standard error of the mean of
 *
 *     w (x - R).
 *
 * Each draw is a batch of its own. Like cs_mcse_mean, the error includes the
 * autocorrelation of the draws and the differences between the chains. */
double cs_weighted_error(cs_draws d, const double *w);

/* Diagnoses weighted draws; the weights are as for cs_weighted_error. Computes
 * the mean, the sd, the error, the effective size (sd / error)^2, and
 * quantiles. The error of a quantile q(p) is (q(p + e) - q(p - e)) / 2, where e
 * is the error of the weighted distribution function at the quantile.
 * Diagnostics that rank draws are undefined, and `why` is cs_why_weights or
 * "out of memory". */
cs_diagnosis cs_diagnose_weighted(cs_draws d, const double *w,
                                  const cs_probabilities *p);
extern const char cs_why_weights[];

/* Returns Kish's effective size of weights w[n] >= 0, (sum w)^2 / sum w^2.
 * Returns NAN if the weights sum to 0. */
double cs_weight_size(const double *w, size_t n);

/* Chooses m unweighted draws by systematic resampling: sets from[k], k < m, to
 * the index of the draw that becomes draw k. Draw i is chosen m w_i / sum w
 * times, rounded down or up; the draws keep their order. `uniform` in [0, 1) is
 * the only random number. Returns false if the weights sum to 0. */
bool cs_resample_systematic(const double *w, size_t n, double uniform, size_t m,
                            size_t *from);
