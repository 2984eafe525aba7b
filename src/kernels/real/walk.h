/* The proposal of a random walk on a real space, y = x + step z, z ~ N(0, I),
 * for kernels whose first parameter is the step size. The accept step only
 * needs z and -z to be equally likely. This holds exactly for normals in single
 * precision, which take half the time of normals in double precision. */
#pragma once

#include "kernel/lanes.h"

#include <math.h>

/* Replaces z, stored in y, by the proposal. */
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

/* Fills y[dim][lanes] with a proposal for every lane. */
static inline void cs_walk_propose(const cs_move *m, double *y)
{
    cs_fill_single_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, y);
    cs_walk_shift(m, cs_span_of(m), m->x, y);
}

/* Returns log q(to | from) of lane l. */
static inline double cs_walk_log_q(const cs_move *m, const double *from,
                                   const double *to, size_t l)
{
    double s = cs_move_param(m, 0)[l], sum = 0;
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
        sum += (to[at] - from[at]) / s * ((to[at] - from[at]) / s);
    return -0.5 * sum - (double)m->dim * log(s * 2.5066282746310005024);
}

/* Computes out[lanes] = log q(to | from); implements log_q of a kernel type. */
static inline void cs_walk_log_q_all(cs_move *m, const double *from,
                                     const double *to, double *out)
{
    for (size_t l = 0; l < m->lanes; l++)
        out[l] = cs_walk_log_q(m, from, to, l);
}

/* Implements a part of `init`: sets the log densities of the symmetric proposal
 * to 0, because the steps do not write them. */
static inline void cs_walk_init(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_store(m->info.log_q_forward + l, cs_vset(0));
        cs_store(m->info.log_q_back + l, cs_vset(0));
    }
}

/* Implements `init` for a random walk whose log p is only the log prior. */
static inline void cs_walk_init_prior(cs_move *m)
{
    cs_eval_prior(m->eval, m->x, m->info.logp, NULL);
    cs_walk_init(m);
}
