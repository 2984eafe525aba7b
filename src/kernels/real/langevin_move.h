/* The Langevin proposal, y = x + step^2 / 2 g + step z, z ~ N(0, I), where g is
 * a gradient or an estimate of it. For kernels whose first parameter is the
 * step size. */
#pragma once

#include "kernel/lanes.h"

/* Replaces z, stored in y, by the proposal, for eight lanes. */
static inline void cs_drift_propose(cs_move *m, cs_span span, size_t l,
                                    const double *x, const double *g, double *y)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l), drift = 0.5 * s * s, sum;
    CS_SPAN_SUM(sum, span, l, cs_load(y + at) * cs_load(y + at));
    cs_store(m->info.log_q_forward + l, -0.5 * sum);
    for (size_t at = l; at < span.end; at += span.by)
        cs_store(y + at, cs_load(x + at) + drift * cs_load(g + at) +
                             s * cs_load(y + at));
}

static inline cs_vd cs_drift_squared(cs_vd a)
{
    return a * a;
}

/* Returns log q(to | from), up to a constant, given the gradient g at
 * `from`. */
static inline cs_vd cs_drift_log_q(const cs_move *m, cs_span span, size_t l,
                                   const double *from, const double *to,
                                   const double *g)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l), drift = 0.5 * s * s;
    cs_vd inverse = 1.0 / s, sum;
    CS_SPAN_SUM(sum, span, l,
                cs_drift_squared((cs_load(to + at) - cs_load(from + at) -
                                  drift * cs_load(g + at)) *
                                 inverse));
    return -0.5 * sum;
}

/* The parts of the Langevin proposal with a metric. cs_drift_log_z: the log
 * density of z. cs_drift_shift: the proposal, given S g and L z. cs_drift_miss:
 * the residual `to - from - drift S g`. cs_drift_log_miss: the log density,
 * given L^-1 times the residual. */
static inline cs_vd cs_drift_log_z(cs_span span, size_t l, const double *z)
{
    cs_vd sum;
    CS_SPAN_SUM(sum, span, l, cs_load(z + at) * cs_load(z + at));
    return -0.5 * sum;
}

static inline void cs_drift_shift(const cs_move *m, cs_span span, size_t l,
                                  const double *x, const double *g,
                                  const double *noise, double *y)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l), drift = 0.5 * s * s;
    for (size_t at = l; at < span.end; at += span.by)
        cs_store(y + at, cs_load(x + at) + drift * cs_load(g + at) +
                             s * cs_load(noise + at));
}

static inline void cs_drift_miss(const cs_move *m, cs_span span, size_t l,
                                 const double *from, const double *to,
                                 const double *g, double *miss)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l), drift = 0.5 * s * s;
    for (size_t at = l; at < span.end; at += span.by)
        cs_store(miss + at, cs_load(to + at) - cs_load(from + at) -
                                drift * cs_load(g + at));
}

static inline cs_vd cs_drift_log_miss(const cs_move *m, cs_span span, size_t l,
                                      const double *miss)
{
    cs_vd inverse = 1.0 / cs_load(cs_move_param(m, 0) + l), sum;
    CS_SPAN_SUM(sum, span, l, cs_drift_squared(cs_load(miss + at) * inverse));
    return -0.5 * sum;
}
