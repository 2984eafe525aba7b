/* Differences of binary networks when one weight turns its sign: of the hidden
 * units only the weight's own is computed anew,
 *
 *     f(in)' = f(in) + v' tanh(a') - v tanh(a),   a = c + sum_i w_i in_i,
 *
 * on every row. The cache of a lane is f of the rows, before the sigmoid, and
 * behind them the sum of squared errors, from a pass over the whole network or,
 * since then, from such steps. In doubles, whatever the network is in. Each
 * lane of eight has a weight of its own, and so a unit. */
#ifndef CS_MODEL_BINARY_SITE_H
#define CS_MODEL_BINARY_SITE_H

#include "base/vmath.h"
#include "model/binary_table.h"

enum { CS_NET_TURN_ROWS = 4 /* whose sums do not wait for each other */ };

/* a b + c, where a is +-1 or 0, so that a b is exact. */
static inline cs_vd cs_net_sign_sum(cs_vd a, cs_vd b, cs_vd c)
{
#if defined(__FMA__)
    return cs_vfma(a, b, c);
#else
    return a * b + c;
#endif
}

/* What a weight's unit takes in and gives, before and after. */
typedef struct cs_net_turn {
    cs_vd *w, *w_next; /* [inputs + 1] the bias last */
    cs_vd v, v_next;
    cs_vd b; /* what is added to the output's bias */
} cs_net_turn;

/* Of lane k of the eight. */
static inline void cs_net_turn_lane(const cs_binary *m, const cs_point *at,
                                    size_t l, size_t k, size_t site,
                                    cs_net_turn *c)
{
    size_t row = site / m->hidden;
    size_t unit = row < m->inputs + 2 ? site % m->hidden : 0;
    const double *x = at->x + unit * at->lanes + l + k;
    for (size_t i = 0; i <= m->inputs; i++) {
        double w = 2 * x[i * m->hidden * at->lanes] - 1;
        c->w[i][k] = w;
        c->w_next[i][k] = i == row ? -w : w;
    }
    double v = 2 * x[(m->inputs + 1) * m->hidden * at->lanes] - 1;
    c->v[k] = v;
    c->v_next[k] = row == m->inputs + 1 ? -v : v;
    c->b[k] = row == m->inputs + 2 ? 2 - 4 * x[row * m->hidden * at->lanes] : 0;
}

/* Where value is not NULL, only the lanes turn whose site has another one now;
 * whether any does. */
static inline bool cs_net_turns_of(const cs_binary *m, const cs_point *at,
                                   size_t l, const uint32_t *site,
                                   const double *value, cs_net_turn *c)
{
    bool any = false;
    c->w = (cs_vd *)(void *)at->scratch;
    c->w_next = c->w + m->inputs + 1;
    for (size_t k = 0; k < CS_VECTOR; k++) {
        bool turns =
            !value || value[l + k] != at->x[site[l + k] * at->lanes + l + k];
        any |= turns;
        cs_net_turn_lane(m, at, l, k, site[l + k], c);
        if (turns)
            continue;
        for (size_t i = 0; i <= m->inputs; i++)
            c->w_next[i][k] = c->w[i][k];
        c->v_next[k] = c->v[k];
        c->b[k] = 0;
    }
    return any;
}

/* An input of a row of its eight. */
static inline double cs_net_turn_input(const cs_binary *m, bool single,
                                       size_t r, size_t i)
{
    size_t at = (r / 8 * m->inputs + i) * 8 + r % 8;
    return single ? (double)((const float *)m->train.x)[at]
                  : ((const double *)m->train.x)[at];
}

/* f' of some rows from row r on. */
static inline void cs_net_turn_rows(const cs_binary *m, bool single,
                                    const cs_net_turn *c, const double *f,
                                    size_t lanes, size_t r, cs_vd *next)
{
    cs_vd was[CS_NET_TURN_ROWS], is[CS_NET_TURN_ROWS];
#pragma GCC unroll 4
    for (size_t k = 0; k < CS_NET_TURN_ROWS; k++) {
        was[k] = c->w[m->inputs];
        is[k] = c->w_next[m->inputs];
    }
    for (size_t i = 0; i < m->inputs; i++)
#pragma GCC unroll 4
        for (size_t k = 0; k < CS_NET_TURN_ROWS; k++) {
            cs_vd in = cs_vset(cs_net_turn_input(m, single, r + k, i));
            was[k] = cs_net_sign_sum(c->w[i], in, was[k]);
            is[k] = cs_net_sign_sum(c->w_next[i], in, is[k]);
        }
    for (size_t k = 0; k < CS_NET_TURN_ROWS; k++) {
        cs_vd by = c->v_next * cs_vtanh(is[k]) - c->v * cs_vtanh(was[k]);
        next[k] = *(const cs_vd *)(f + (r + k) * lanes) + by + c->b;
    }
}

/* The loss after the turn, eight lanes; with `keep` the cache becomes that. */
static inline __attribute__((always_inline)) cs_vd
cs_net_turn_all(const cs_binary *m, bool single, const cs_net_turn *c,
                const cs_point *at, size_t l, bool keep)
{
    const cs_binary_rows *d = &m->train;
    cs_vd loss = cs_vset(0);
    double *f = at->cache + l;
    for (size_t r = 0; r < d->padded; r += CS_NET_TURN_ROWS) {
        cs_vd next[CS_NET_TURN_ROWS];
        cs_net_turn_rows(m, single, c, f, at->lanes, r, next);
        for (size_t k = 0; k < CS_NET_TURN_ROWS; k++) {
            cs_vd p = cs_vsigmoid(next[k]);
            cs_vd off = (p - d->y[r + k]) * d->counts[r + k];
            loss += off * off;
            if (keep)
                *(cs_vd *)(f + (r + k) * at->lanes) = next[k];
        }
    }
    if (keep)
        *(cs_vd *)(f + d->padded * at->lanes) = loss;
    return loss;
}

static inline cs_vd cs_net_loss_after(const cs_binary *m, const cs_net_turn *c,
                                      const cs_point *at, size_t l)
{
    return m->single ? cs_net_turn_all(m, true, c, at, l, false)
                     : cs_net_turn_all(m, false, c, at, l, false);
}

static inline void cs_net_site(const cs_target *t, const cs_point *at,
                               const uint32_t *where, double *d)
{
    const cs_binary *m = t->self;
    double by = -m->scale / (double)m->train.rows;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_net_turn c;
        cs_net_turns_of(m, at, l, where, NULL, &c);
        cs_vd was = *(cs_vd *)(at->cache + m->train.padded * at->lanes + l);
        cs_vd change = by * (cs_net_loss_after(m, &c, at, l) - was), x;
        for (size_t k = 0; k < CS_VECTOR; k++)
            x[k] = at->x[where[l + k] * at->lanes + l + k];
        *(cs_vd *)(d + l) = cs_vselect(x != 0.0, change, cs_vset(0));
        *(cs_vd *)(d + at->lanes + l) =
            cs_vselect(x != 0.0, cs_vset(0), change);
    }
}

static inline void cs_net_site_moved(const cs_target *t, const cs_point *at,
                                     const uint32_t *where, const double *value)
{
    const cs_binary *m = t->self;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_net_turn c;
        if (!cs_net_turns_of(m, at, l, where, value, &c))
            continue;
        if (m->single)
            cs_net_turn_all(m, true, &c, at, l, true);
        else
            cs_net_turn_all(m, false, &c, at, l, true);
    }
}

#endif
