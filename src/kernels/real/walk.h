/* The proposal of a random walk on a real space, y = x + step z, z ~ N(0, I): of
 * kernels whose first parameter is the step. The accept step asks of z only that
 * z and -z be equally likely, which normals of single precision are to the last
 * bit, at half the cost. */
#pragma once

#include "kernel/lanes.h"

#include <math.h>

/* y holds z and becomes the proposal. */
static inline void cs_walk_shift(const cs_move *m, cs_span span,
                                 const double *x, double *y)
{
    const double *step = cs_move_param(m, 0);
    for (size_t l = 0; l < span.by; l += CS_VECTOR) {
        cs_vd s = cs_load(step + l);
        for (size_t at = l; at < span.end; at += span.by)
            cs_store(y + at, cs_load(x + at) + s * cs_load(y + at));
    }
}

/* y[dim][lanes] = a proposal of every lane. */
static inline void cs_walk_propose(const cs_move *m, double *y)
{
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    cs_walk_shift(m, cs_span_of(m), m->x, y);
}

/* log q(to | from) of lane l. */
static inline double cs_walk_log_q(const cs_move *m, const double *from,
                                   const double *to, size_t l)
{
    double s = cs_move_param(m, 0)[l], sum = 0;
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        sum += (to[at] - from[at]) / s * ((to[at] - from[at]) / s);
    return -0.5 * sum - (double)m->dim * log(s * 2.5066282746310005024);
}

/* For `init`: the proposal is symmetric, and no step writes these. */
static inline void cs_walk_init(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_store(m->info.log_q_forward + l, cs_vset(0));
        cs_store(m->info.log_q_back + l, cs_vset(0));
    }
}
