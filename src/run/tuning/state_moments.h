/* Mean and covariance of the states that a tuner gathers, and the metric
 * computed from them. */
#pragma once

#include "kernel/metric.h"

/* The layout: for a kind of metric, and a number of coordinates. With `chooses`
 * a dense metric may become diagonal, and the states of `chains` chains are
 * compared from step to step. */
typedef struct cs_moments_shape {
    cs_metric_kind kind;
    size_t dim, chains;
    bool chooses;
} cs_moments_shape;

/* Returns the doubles of the moments: the number of states, their mean [dim],
 * and sums of squared deviations, as many as the metric has numbers; with
 * `chooses` also the dependence of successive states: number of pairs, sums of
 * their squared differences [dim], per chain the number of states and the last
 * one [chains][1 + dim], and the number of trajectories cut off. All zero: no
 * states. */
size_t cs_moments_words(const cs_moments_shape *m);

/* Adds the next state of a chain, x[dim], by Welford's update. `deep`: its
 * trajectory was cut off at the maximum depth. */
void cs_moments_add(const cs_moments_shape *m, double *words, size_t chain,
                    const double *x, bool deep);

/* How many independent states the n gathered are worth for their covariance,
 * with `chooses`:
 *
 *   n (1 - r^2) / (1 + r^2),  r = 1 - mean over i of D_i / (2 C_ii),
 *
 * D the mean squared differences of states one step apart: as of an
 * autoregression of order 1 with correlation r, whose products of coordinates
 * have r^2. [own] */
double cs_moments_ess(const cs_moments_shape *m, const double *words);

/* The metric of n states, by the variances v of the metric before it (NULL: 1):
 *
 *   S = (n C + 5e-3 diag(v)) / (n + 5),  C their covariance,
 *
 * Stan's regularisation, but for v, which is 1 there; so it is of no unit;
 * and their mean is its centre.
 * With `chooses` a dense one only where correlations are worth it for as many
 * states (run/tuning/correlated.h), or where more than a tenth of the trajectories were
 * cut off: then the metric before does not serve, and its chains are too slow for
 * correlations to be told from noise. Else a diagonal one. NULL: they make none, and the
 * metric before may stay. `words` are then no metric any more. */
cs_metric *cs_moments_metric(const cs_moments_shape *m, double *words,
                             const cs_metric *before);
