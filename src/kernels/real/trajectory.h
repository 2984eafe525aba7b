/* Parts of a leapfrog step in the coordinates z, where x = L z, S = L L' is the
 * metric and all masses are 1. Shared by kernels that follow Hamiltonian
 * dynamics. */
#pragma once

#include "kernel/metric_lanes.h"

#include <stdatomic.h>
#include <string.h>

/* Largest error of the energy, in nats. A trajectory with a larger error
 * diverges, as in Stan. */
static const double cs_trajectory_max_error = 1000;

/* Returns whether the step must be abandoned (see `stop` of cs_move). */
static inline bool cs_trajectory_is_stopped(const cs_move *m)
{
    return m->stop && atomic_load_explicit(m->stop, memory_order_relaxed);
}

/* Computes q += share step slope; step[lanes] may have either sign. */
static inline void cs_trajectory_kick(cs_span s, double share,
                                      const double *step, const double *slope,
                                      double *q)
{
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd push = share * cs_load(step + l);
        for (size_t at = l; at < s.end; at += s.by)
            cs_store(q + at, cs_load(q + at) + push * cs_load(slope + at));
    }
}

/* Computes y = x + step L q. `scratch` has space for L q. */
static inline void cs_trajectory_drift(const cs_metric *g, cs_span s,
                                       const double *step, const double *q,
                                       double *scratch, const double *x,
                                       double *y)
{
    const double *move = cs_metric_product_or_same(g, s, q, scratch);
    for (size_t l = 0; l < s.by; l += CS_VECTOR) {
        cs_vd drift = cs_load(step + l);
        for (size_t at = l; at < s.end; at += s.by)
            cs_store(y + at, cs_load(x + at) + drift * cs_load(move + at));
    }
}

/* Computes slope = L' gradient. */
static inline void cs_trajectory_slope(const cs_metric *g, cs_span s,
                                       const double *gradient, double *slope)
{
    if (g)
        cs_metric_product_transposed(g, s, gradient, slope);
    else
        memcpy(slope, gradient, s.end * sizeof *slope);
}
