/* The flips of langevin.h with probabilities in single precision, for eight
 * lanes. A site flips with the odds
 *
 *   r = exp( balance (1 - 2 x_i) f_i - 1 / (2 step) ),  P(flip) = r / (1 + r),
 *
 * where f is the gradient at x in single precision. Any odds that depend only
 * on the state are correct, because the draw and log q use the same odds. r is
 * in single precision and clamped to e^-86..e^86; given r, P(flip) and its
 * logarithm are accurate to double precision. */
#pragma once

#include "kernel/lanes.h"
#include "simd/vmask.h"

typedef struct cs_odds {
    cs_vf balance, rest;     /* the parameter balance; rest = 1 / (2 step) */
    cs_ratio_product chance; /* product of the probabilities of the flips so
                                far */
} cs_odds;

static inline cs_odds cs_odds_begin(cs_vd balance, cs_vd step)
{
    return (cs_odds){cs_vfround(balance), cs_vfround(0.5 / step),
                     cs_ratio_product_one()};
}

static inline cs_vd cs_odds_at(const cs_odds *o, cs_vf force, cs_vd x)
{
    cs_vf pull = cs_vmask_turned(force, x);
    return cs_vfwiden(cs_vfexp_within(cs_vffma(o->balance, pull, -o->rest)));
}

static inline void cs_odds_take(cs_odds *o, cs_vmask flipped, cs_vd odds)
{
    cs_ratio_product_times(&o->chance, flipped, odds, 1.0 + odds);
}

/* Draws y from x with uniform[dim][by]. Returns log q(y | x). f: the gradient
 * at x, as doubles. */
static inline cs_vd cs_odds_propose(const cs_move *m, cs_odds o, size_t l,
                                    const double *f, double *y,
                                    const double *uniform, size_t by)
{
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes, uniform += by) {
        cs_vd x = cs_load(m->x + at);
        cs_vd odds = cs_odds_at(&o, cs_vfround(cs_load(f + at)), x);
        cs_vmask flip = cs_vmask_less(cs_load(uniform) * (1.0 + odds), odds);
        cs_store(y + at, cs_vmask_other(flip, x));
        cs_odds_take(&o, flip, odds);
    }
    return cs_ratio_product_end(&o.chance);
}

/* Returns log q(to | from). f: the gradient at `from`. */
static inline cs_vd cs_odds_log(const cs_move *m, cs_odds o, size_t l,
                                const float *f, const double *from,
                                const double *to)
{
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(from + at);
        cs_vd odds = cs_odds_at(&o, *(const cs_vf *)(f + at), x);
        cs_odds_take(&o, cs_vmask_differ(cs_load(to + at), x), odds);
    }
    return cs_ratio_product_end(&o.chance);
}
