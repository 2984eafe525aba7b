/* A metric: the covariance S that a sampler on a real space assumes for its
 * target, S = L L'. Proposals are made in the coordinates z, where x = L z, so
 * that the covariance of z is near the unit matrix: a walk moves by L z, a
 * gradient becomes L' g, momenta have covariance S^-1, so that a position moves
 * by S p ("inverse metric" in Stan). A metric may have a centre, the assumed
 * mean of the target. Proposals that do not depend on the state are made around
 * this centre.
 *
 * A metric is held by an arm, by the saved marks of the arm and by changes of
 * the arm, and is immutable while held. The holder count has no lock: create,
 * hold and release a metric only on the thread that owns the run. */
#pragma once

#include "base/status.h"
#include "kernel/kernel.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum cs_metric_kind {
    CS_METRIC_UNIT, /* S = I: no metric, represented by NULL */
    CS_METRIC_DIAGONAL,
    CS_METRIC_DENSE,
    CS_METRICS
} cs_metric_kind;

extern const char *const cs_metric_names[CS_METRICS + 1]; /* names of the kinds;
                                                             ends with NULL */

typedef struct cs_metric {
    size_t holders;
    cs_metric_kind kind;
    size_t dim, stride; /* dim: number of coordinates; stride: dim padded to
                         * whole vectors */
    /* The numbers given by the user: variances [dim], or S [dim][dim]. */
    double *covariance;
    double *sd; /* [stride] square roots of the variances, zeros beyond dim */
    /* For a dense metric: L and L' by rows, [dim][stride], zeros elsewhere. */
    double *lower, *upper;
    double *centre; /* [dim] centre, or NULL */
    /* The metrics of the members of a kernel that is made of members
     * (kernel/member_metrics.h). `kind` is then CS_METRIC_UNIT and `dim` 0. */
    struct cs_metric **member; /* [n_members] NULL: it has none [held] [own] */
    size_t n_members;
} cs_metric;

/* Returns the number of values that define a metric of this kind: 0, dim or dim
 * * dim. */
size_t cs_metric_words(cs_metric_kind kind, size_t dim);

/* Creates a metric of `dim` coordinates with one holder, the caller.
 * `covariance` has cs_metric_words(kind, dim) numbers [copied]; NULL for the
 * unit metric. Fails if the variances are not positive, the matrix is not
 * positive definite, or memory runs out. */
cs_status cs_metric_make(cs_metric **out, cs_metric_kind kind, size_t dim,
                         const double *covariance, cs_error *err);
/* Sets the centre of a new metric to centre[dim] [copied]; NULL: no centre.
 * Fails if a number is not finite or memory runs out; the metric is then
 * unchanged. */
cs_status cs_metric_set_centre(cs_metric *metric, const double *centre,
                               cs_error *err);
/* Creates the metric of a kernel with n members, at least 1, of their metrics
 * [held]; member[i] is NULL if member i has none. Returns NULL if memory runs
 * out. */
cs_metric *cs_metric_of_members(cs_metric *const *member, size_t n);
/* Add or remove a holder. Removing the last holder frees the metric. NULL is
 * allowed. */
cs_metric *cs_metric_hold(cs_metric *metric);
void cs_metric_let_go(cs_metric *metric);

/* Checks that the kernel can use a metric on this target. If not, the error
 * explains why. */
cs_status cs_metric_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err);

/* Returns the kind of a metric. NULL represents the unit metric. */
static inline cs_metric_kind cs_metric_kind_of(const cs_metric *metric)
{
    return metric ? metric->kind : CS_METRIC_UNIT;
}
