/* The Barker proposal, y_j = x_j + b_j z_j, b_j = 1 with probability 1 / (1 +
 * exp(-z_j g_j)), else -1. g is a gradient or an estimate of it. For kernels
 * whose first parameter is the step size. */
#pragma once

#include "kernel/lanes.h"
#include "simd/vmath.h"

/* Returns log q(to | from) for eight lanes, without the terms that are equal in
 * both directions. g is the gradient at `from`. */
static inline cs_vd cs_barker_skew(cs_span span, size_t l, const double *from,
                                   const double *to, const double *g)
{
    cs_vd sum;
    CS_SPAN_SUM(sum, span, l,
                cs_vsoftplus((cs_load(from + at) - cs_load(to + at)) *
                             cs_load(g + at)));
    return -sum;
}

/* Computes what cs_barker_skew computes, but from the differences from - to and
 * the slopes at `from`. */
static inline cs_vd cs_barker_skew_of(cs_span span, size_t l,
                                      const double *difference,
                                      const double *slope)
{
    cs_vd sum;
    CS_SPAN_SUM(sum, span, l,
                cs_vsoftplus(cs_load(difference + at) * cs_load(slope + at)));
    return -sum;
}

/* Replaces the standard normals z, stored in y, by b z, given the slopes. */
static inline void cs_barker_turn(const cs_move *m, cs_span span, size_t l,
                                  const double *slope, const double *uniform,
                                  double *y)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l);
    for (size_t at = l; at < span.end; at += span.by) {
        cs_vd z = s * cs_load(y + at);
        cs_vi stays =
            cs_load(uniform + at) < cs_vsigmoid(z * cs_load(slope + at));
        cs_store(y + at, cs_vselect(stays, z, -z));
    }
}

/* Replaces the standard normals in y by the proposal, for eight lanes. */
static inline void cs_barker_propose(cs_move *m, cs_span span, size_t l,
                                     const double *x, const double *g,
                                     const double *uniform, double *y)
{
    cs_vd s = cs_load(cs_move_param(m, 0) + l);
    for (size_t at = l; at < span.end; at += span.by) {
        cs_vd z = s * cs_load(y + at);
        cs_vi stays = cs_load(uniform + at) < cs_vsigmoid(z * cs_load(g + at));
        cs_store(y + at, cs_load(x + at) + cs_vselect(stays, z, -z));
    }
    cs_store(m->info.log_q_forward + l, cs_barker_skew(span, l, x, y, g));
}
