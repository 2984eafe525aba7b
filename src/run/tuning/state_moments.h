/* The mean and covariance of the states gathered by a tuner, and the metric
 * computed from them. */
#pragma once

#include "kernel/metric.h"

/* Determines the layout of the moments. If `chooses` is true, a dense metric
 * may become diagonal. In this case successive states of each of the `chains`
 * chains are compared. */
typedef struct cs_moments_shape {
    cs_metric_kind kind;
    size_t dim, chains;
    bool chooses;
} cs_moments_shape;

/* Returns the number of doubles of the moments: the number of states, their
 * mean [dim], and sums of squared deviations (cs_metric_words). If `chooses` is
 * true, a description of the dependence between successive states follows: the
 * number of pairs, the sums of their squared differences [dim], the number of
 * states and the last state of each chain [chains][1 + dim], and the number of
 * trajectories cut off. All are zero before the first state. */
size_t cs_moments_words(const cs_moments_shape *m);

/* Adds the next state x[dim] of a chain by Welford's update. `deep`: its
 * trajectory was cut off at the maximum depth. */
void cs_moments_add(const cs_moments_shape *m, double *words, size_t chain,
                    const double *x, bool deep);

/* Returns the effective number of independent states for estimating the
 * covariance C from the n states gathered, if `chooses` is set:
 *
 *   n (1 - r^2) / (1 + r^2),  r = 1 - mean over i of D_i / (2 C_ii),
 *
 * where D_i is the mean squared difference of coordinate i between successive
 * states. This is exact for a first-order autoregression with correlation r,
 * for which products of coordinates have correlation r^2. Not from a paper. */
double cs_moments_ess(const cs_moments_shape *m, const double *words);

/* Returns the metric estimated from n states with covariance C:
 *
 *   S = (n C + 5e-3 diag(v)) / (n + 5),
 *
 * where v are the variances of the previous metric `before` (NULL: 1). Stan
 * uses the same regularisation with v = 1. With the variances v, it does not
 * depend on the units of the coordinates. The centre of the metric is the mean
 * of the states.
 *
 * If `chooses` is true, the metric is dense only if correlations are large
 * enough for this number of states (run/tuning/correlated.h), or if more than a
 * tenth of the trajectories were cut off: the previous metric is then
 * unsuitable, and the chains move too slowly to distinguish correlations from
 * noise. Otherwise it is diagonal. Returns NULL if no metric can be estimated;
 * the previous metric may then be kept. Overwrites `words`. */
cs_metric *cs_moments_metric(const cs_moments_shape *m, double *words,
                             const cs_metric *before);
