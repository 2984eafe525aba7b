#include "kernel/metric.h"

#include "base/memory.h"
#include "simd/simd.h"

#include <assert.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

const char *const cs_metric_names[CS_METRICS + 1] = {
    [CS_METRIC_UNIT] = "unit",
    [CS_METRIC_DIAGONAL] = "diagonal",
    [CS_METRIC_DENSE] = "dense",
};

size_t cs_metric_words(cs_metric_kind kind, size_t dim)
{
    assert(kind < CS_METRICS);
    return kind == CS_METRIC_UNIT    ? 0
           : kind == CS_METRIC_DENSE ? dim * dim
                                     : dim;
}

static cs_metric *room_for(cs_metric_kind kind, size_t dim)
{
    cs_metric *m = cs_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (cs_metric){
        .holders = 1, .kind = kind, .dim = dim, .stride = cs_pad_lanes(dim)};
    bool dense = kind == CS_METRIC_DENSE;
    m->covariance = cs_alloc(cs_metric_words(kind, dim), sizeof(double));
    m->sd = cs_alloc(m->stride, sizeof(double));
    m->lower = dense ? cs_alloc(dim * m->stride, sizeof(double)) : NULL;
    m->upper = dense ? cs_alloc(dim * m->stride, sizeof(double)) : NULL;
    if (m->covariance && m->sd && (!dense || (m->lower && m->upper)))
        return m;
    cs_metric_let_go(m);
    return NULL;
}

/* Computes the Cholesky factor, stored by rows and by columns. */
static bool factor(cs_metric *m)
{
    size_t n = m->dim;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            m->lower[i * m->stride + j] = m->covariance[i * n + j];
    gsl_matrix_view a =
        gsl_matrix_view_array_with_tda(m->lower, n, n, m->stride);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    bool good = gsl_linalg_cholesky_decomp1(&a.matrix) == 0;
    gsl_set_error_handler(handler);
    for (size_t i = 0; good && i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double v = j > i ? 0 : m->lower[i * m->stride + j];
            good = good && isfinite(v);
            m->lower[i * m->stride + j] = v;
            m->upper[j * m->stride + i] = v;
        }
    return good;
}

/* Returns the first coordinate whose variance is invalid, or dim. */
static size_t worst(const cs_metric *m)
{
    size_t i = 0, apart = m->kind == CS_METRIC_DENSE ? m->dim + 1 : 1;
    while (i < m->dim && m->sd[i] > 0 && isfinite(m->covariance[i * apart]))
        i++;
    return i;
}

static cs_status refuse(cs_metric *m, size_t at, cs_error *err)
{
    if (at < m->dim) {
        size_t apart = m->kind == CS_METRIC_DENSE ? m->dim + 1 : 1;
        cs_fail(err, CS_RANGE, "metric: the variance of coordinate %zu is %g",
                at + 1, m->covariance[at * apart]);
        cs_hint(err, "give variances above 0");
    } else {
        cs_fail(err, CS_RANGE, "metric: the matrix is not positive definite");
        cs_hint(err, "give a symmetric covariance, or only its diagonal");
    }
    cs_metric_let_go(m);
    return CS_RANGE;
}

static bool is_symmetric(const cs_metric *m)
{
    const double *s = m->covariance;
    size_t n = m->dim;
    for (size_t i = 0; m->kind == CS_METRIC_DENSE && i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (!(fabs(s[i * n + j] - s[j * n + i]) <=
                  1e-9 * m->sd[i] * m->sd[j]))
                return false;
    return true;
}

cs_status cs_metric_make(cs_metric **out, cs_metric_kind kind, size_t dim,
                         const double *covariance, cs_error *err)
{
    assert(out && kind < CS_METRICS && dim >= 1);
    assert(covariance || kind == CS_METRIC_UNIT);
    *out = NULL;
    if (kind == CS_METRIC_UNIT)
        return CS_OK;
    bool dense = kind == CS_METRIC_DENSE;
    cs_metric *m = room_for(kind, dim);
    if (!m)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for a metric of %zu numbers",
                       cs_metric_words(kind, dim));
    for (size_t i = 0; i < cs_metric_words(kind, dim); i++)
        m->covariance[i] = covariance[i];
    for (size_t i = 0; i < dim; i++)
        m->sd[i] = sqrt(covariance[dense ? i * (dim + 1) : i]);
    size_t at = worst(m);
    if (at < dim || (dense && (!is_symmetric(m) || !factor(m))))
        return refuse(m, at, err);
    *out = m;
    return CS_OK;
}

cs_status cs_metric_set_centre(cs_metric *metric, const double *centre,
                               cs_error *err)
{
    if (!centre)
        return CS_OK;
    assert(metric && !metric->centre && metric->holders == 1);
    for (size_t i = 0; i < metric->dim; i++)
        if (!isfinite(centre[i]))
            return cs_fail(err, CS_RANGE,
                           "metric: coordinate %zu of the centre is %g", i + 1,
                           centre[i]);
    metric->centre = cs_alloc(metric->dim, sizeof(double));
    if (!metric->centre)
        return cs_fail(err, CS_MEMORY, "out of memory for a centre");
    memcpy(metric->centre, centre, metric->dim * sizeof(double));
    return CS_OK;
}

cs_metric *cs_metric_of_members(cs_metric *const *member, size_t n)
{
    assert(member && n);
    cs_metric *m = cs_alloc(1, sizeof *m);
    cs_metric **held = cs_alloc(n, sizeof *held);
    if (!m || !held) {
        CS_FREE_ALL(m, held);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        held[i] = cs_metric_hold(member[i]);
    *m = (cs_metric){.holders = 1, .member = held, .n_members = n};
    return m;
}

cs_metric *cs_metric_hold(cs_metric *metric)
{
    assert(!metric || metric->holders);
    if (metric)
        metric->holders++;
    return metric;
}

void cs_metric_let_go(cs_metric *metric)
{
    assert(!metric || metric->holders);
    if (!metric || --metric->holders)
        return;
    for (size_t i = 0; i < metric->n_members; i++)
        cs_metric_let_go(metric->member[i]);
    cs_free(metric->member);
    CS_FREE_ALL(metric->covariance, metric->centre, metric->sd, metric->lower,
                metric->upper, metric);
}

cs_status cs_metric_fits(const cs_kernel *k, const cs_target *target,
                         cs_error *err)
{
    bool real = cs_space_is_real(&target->space);
    if (real && k->type->flags & CS_KERNEL_METRIC)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "kernel %s does not use a metric%s",
            k->type->name, real ? "" : " on a space that is not real");
    cs_hint(err, "use random_walk, metropolis_within_gibbs, independence, "
                 "mala, barker, hmc, nuts or sgld");
    return CS_UNSUPPORTED;
}
