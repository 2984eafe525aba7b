/* A metric: what a sampler of a real space takes for the covariance S of its
 * target, S = L L'. Proposals are made for z, x = L z, whose covariance is near
 * the unit matrix: a walk moves by L z, a gradient turns to L' g, momenta have
 * covariance S^-1, so that a position moves by S p ("inverse metric" in Stan).
 * It may have a centre, what is taken for the mean of the target: proposals that
 * do not depend on the state are made about it.
 *
 * Held by an arm, by the marks of its past and by changes of it; nobody changes
 * it while it is held. The holders are counted without a lock: make, hold and
 * let go of one on the thread that owns the run. */
#pragma once

#include "base/status.h"
#include "kernel/kernel.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_metric_kind {
    CS_METRIC_UNIT, /* S = I: no metric at all, a NULL */
    CS_METRIC_DIAGONAL,
    CS_METRIC_DENSE,
    CS_METRICS
} cs_metric_kind;

extern const char *const cs_metric_names[CS_METRICS + 1]; /* NULL at the end */

typedef struct cs_metric {
    size_t holders;
    cs_metric_kind kind;
    size_t dim, stride; /* stride: dim with room to whole vectors */
    /* As given: variances [dim], or S [dim][dim]. */
    double *covariance;
    double *sd; /* [stride] square roots of variances, zeros beyond dim */
    /* Of a dense one: L and L' by rows, [dim][stride], zeros elsewhere. */
    double *lower, *upper;
    double *centre; /* [dim], or NULL: none */
} cs_metric;

/* How many numbers a metric of a kind is made of: 0, dim, dim * dim. */
size_t cs_metric_words(cs_metric_kind kind, size_t dim);

/* A metric of `dim` coordinates with one holder, the caller: `covariance` are
 * its cs_metric_words(kind, dim) numbers [copied]; NULL of the unit one. Fails
 * where they are not positive (definite), or out of memory. */
cs_status cs_metric_make(cs_metric **out, cs_metric_kind kind, size_t dim,
                         const double *covariance, cs_error *err);
/* Gives one that has just been made a centre, centre[dim] [copied]; NULL: none.
 * Fails where a number is not finite, or out of memory; it is then as before. */
cs_status cs_metric_set_centre(cs_metric *metric, const double *centre,
                               cs_error *err);
/* One holder more; one less, the last frees it. NULL is fine. */
cs_metric *cs_metric_hold(cs_metric *metric);
void cs_metric_let_go(cs_metric *metric);

/* Whether a kernel follows a metric on this target; else the error says so. */
cs_status cs_metric_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err);

/* Its kind; a NULL's is the unit one. */
static inline cs_metric_kind cs_metric_kind_of(const cs_metric *metric)
{
    return metric ? metric->kind : CS_METRIC_UNIT;
}
