/* The velocity of kernels with a stochastic gradient. The velocity is the
 * second of the rows that are computed on arrival at a state. */
#pragma once

#include "kernels/real/stochastic_gradient.h"

/* Moves eight lanes by the new velocity, momentum v + drift g + sd z, where
 * s->y holds z on entry. If sd is NULL, there is no noise. */
static inline void cs_sg_push(const cs_move *m, const cs_sg_step *s, size_t l,
                              cs_vd momentum, cs_vd drift, const double *noise,
                              const cs_vd *sd)
{
    size_t rows = m->dim * m->lanes;
    const double *v = m->memory + rows;
    double *next = s->next + rows;
    for (size_t at = l; at < rows; at += m->lanes) {
        cs_vd fresh = momentum * cs_load(v + at) +
                      drift * cs_sg_gradient(m, noise, l, at);
        if (sd)
            fresh += *sd * cs_load(s->y + at);
        cs_store(next + at, fresh);
        cs_store(s->y + at, cs_load(m->x + at) + fresh);
    }
}

/* Ends a step. Reverses the velocity in lanes whose move was rejected. */
static inline void cs_sg_arrive_turning(cs_move *m, cs_sg_step *s)
{
    cs_sg_arrive(m, s);
    double *v = m->memory + m->dim * m->lanes;
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t d = 0; d < m->dim && s->mask[l]; d++)
            v[d * m->lanes + l] = -v[d * m->lanes + l];
}

/* Returns the part of the friction 1 - momentum for which the kernel must add
 * noise. The noise of the gradient balances the rest of the friction. A chain
 * fails if that rest would be larger than the friction. */
static inline cs_vd cs_sg_free_friction(cs_move *m, size_t l, cs_vd momentum,
                                        cs_vd variance, cs_vd rate, cs_vd heat)
{
    cs_vd a = 1 - momentum;
    cs_vd b =
        cs_vselect(variance == 0.0, cs_vset(0), rate * variance / (2 * heat));
    cs_vi bad = ~(a >= b);
    for (size_t k = 0; cs_bytes_of(bad) && k < CS_VECTOR; k++)
        if (bad[k])
            cs_sg_give_up(m, l + k, CS_SG_FRICTION, 0, a[k], b[k]);
    return cs_vmax(a - b, cs_vset(0));
}

/* Parameter rows of the velocity; the arguments are their indices. */
#define CS_SG_MOMENTUM_ROW(momentum_)                                          \
    [momentum_] = {                                                            \
        .name = "momentum",                                                    \
        .max = 1,                                                              \
        .def = 0.9,                                                            \
        .help =                                                                \
            "factor by which friction multiplies the velocity in each step"}

#define CS_SG_VARIANCE_ROW(variance_)                                          \
    [variance_] = {                                                            \
        .name = "noise_variance",                                              \
        .flags = CS_PARAM_LOG,                                                 \
        .max = 1e100,                                                          \
        .help = "estimated variance of the gradient's noise per "              \
                "coordinate, which is subtracted from the variance of the "    \
                "added noise; 0: no correction",                               \
        .ref = "Chen, Fox and Guestrin 2014, Eq. 15"}
