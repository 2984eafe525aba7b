/* Mean and covariance of the states that a tuner gathers, and the metric that
 * they make. */
#ifndef CS_RUN_MOMENTS_H
#define CS_RUN_MOMENTS_H

#include "kernel/metric.h"

/* The doubles that moments of `dim` coordinates take, for a metric of a kind:
 * how many states, their mean [dim], and sums of squared deviations, as many as
 * the metric has numbers. All zero: no states. */
size_t cs_moments_words(cs_metric_kind kind, size_t dim);

/* One state more, x[dim]: Welford's update. */
void cs_moments_add(double *words, cs_metric_kind kind, size_t dim,
                    const double *x);

/* The metric of n states, by the variances v of the metric before it (NULL: 1):
 *
 *   S = (n C + 5e-3 diag(v)) / (n + 5),  C their covariance,
 *
 * Stan's regularisation, but for v, which is 1 there; so it is of no unit.
 * With `grows` a dense one only of 50 states or more a coordinate whose
 * correlations matter (the eigenvalues of their matrix differ fivefold), else a
 * diagonal one. [own]. NULL: they make none, and the metric before may stay.
 * `words` are then no metric any more. */
cs_metric *cs_moments_metric(double *words, cs_metric_kind kind, size_t dim,
                             bool grows, const cs_metric *before);

#endif
