/* The discrete Langevin proposal, eight lanes at a time: shared by dula, dmala
 * and the kernels built on them.
 *
 *   q_i(v | x) ~ exp( balance s_i (v - x_i) - (v - x_i)^2 / (2 step) )
 *
 * where the slope s is the gradient of log p at x. With an auxiliary variable
 * a, it is the gradient minus the pull (x - a) / eta. A binary site flips with
 * probability
 *
 *   sigmoid( balance (1 - 2 x_i) s_i - 1 / (2 step) ).
 *
 * A categorical site may be coded as one bit per value (one hot). The gradient
 * then has a component for each value, and a change of the site has length sqrt
 * 2:
 *
 *   q_i(v | x) ~ exp( balance (slope_iv - slope_ix) - 1(v != x_i) / step ).
 *
 * If the extension of log p is linear in the bits of one site, the difference
 * of slopes is log p(x, x_i = v) - log p(x). This difference is used for a
 * target that does not provide slopes (`one_hot`).
 *
 * Sigmoids and softmaxes cannot overflow, and no constant is added inside the
 * logarithms to keep them finite. */
#pragma once

#include "kernel/lanes.h"
#include "kernels/discrete/coding.h"
#include "kernels/discrete/flip_odds.h"

typedef struct cs_langevin {
    cs_vd step, balance;
    const double *g; /* [dim][lanes] gradient at the state before the move */
    const float *f;  /* [dim][lanes] that gradient as floats, if `quick` is set
                        and g is not known */
    const double *a; /* [dim][lanes] the auxiliary variable, or NULL */
    cs_vd pull;      /* 1 / eta, the strength of the coupling to the auxiliary
                      * variable */
    double *weight;  /* [values][CS_VECTOR] scratch for weights of values */
    bool hot;        /* one bit per value: g is [dim * values][lanes], the
                        changes of log p */
    bool quick;      /* flips use odds in single precision: see flip_odds.h */
} cs_langevin;

static inline cs_vd cs_langevin_slope(const cs_langevin *q, size_t at, cs_vd x)
{
    cs_vd g = cs_load(q->g + at);
    if (q->a)
        g -= (x - cs_load(q->a + at)) * q->pull;
    return g;
}

/* ---- binary sites -------------------------------------------------------- */

/* Log probability of the flips so far. */
typedef struct cs_flips {
    cs_vd half;          /* the constant 1 / (2 step) */
    cs_vd below;         /* sum of min(logit of the outcome, 0) over the
                            sites */
    cs_log_product rest; /* product of 1 + exp -|logit| over the sites */
} cs_flips;

static inline cs_flips cs_flips_begin(const cs_langevin *q)
{
    return (cs_flips){0.5 / q->step, cs_vset(0), cs_log_product_one()};
}

/* Returns the logit of a flip, and sets *e to exp -|logit|. */
static inline cs_vd cs_flips_logit(const cs_flips *f, const cs_langevin *q,
                                   size_t at, cs_vd x, cs_vd *e)
{
    cs_vd slope = cs_langevin_slope(q, at, x);
    cs_vd z = q->balance * ((1.0 - 2.0 * x) * slope) - f->half;
    *e = cs_vexp_below(-cs_vabs(z));
    return z;
}

/* Adds one site to the log density: log sigmoid(s) = min(s, 0) - log(1 + exp
 * -|s|), where s is logit if flipped, else -logit. */
static inline void cs_flips_take(cs_flips *f, cs_vi flipped, cs_vd logit,
                                 cs_vd e)
{
    cs_vd s = cs_vselect(flipped, logit, -logit);
    f->below += cs_vmin(s, cs_vset(0));
    cs_log_product_times(&f->rest, 1.0 + e);
}

static inline cs_vd cs_flips_end(const cs_flips *f)
{
    return f->below - cs_log_product_end(&f->rest);
}

/* Draws the flips of eight lanes. A site flips if uniform < sigmoid(logit);
 * this test needs no division. Returns log q(y | x). */
static inline cs_vd cs_flips_propose(const cs_move *m, const cs_langevin *q,
                                     size_t l, double *y, const double *uniform,
                                     size_t by)
{
    cs_flips f = cs_flips_begin(q);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes, uniform += by) {
        cs_vd x = cs_load(m->x + at), e;
        cs_vd z = cs_flips_logit(&f, q, at, x, &e);
        cs_vi flip =
            cs_load(uniform) * (1.0 + e) < cs_vselect(z > 0.0, cs_vset(1), e);
        cs_store(y + at, cs_vselect(flip, 1.0 - x, x));
        cs_flips_take(&f, flip, z, e);
    }
    return cs_flips_end(&f);
}

static inline cs_vd cs_flips_log(const cs_move *m, const cs_langevin *q,
                                 size_t l, const double *from, const double *to)
{
    cs_flips f = cs_flips_begin(q);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_vd x = cs_load(from + at), e;
        cs_vd z = cs_flips_logit(&f, q, at, x, &e);
        cs_flips_take(&f, cs_load(to + at) != x, z, e);
    }
    return cs_flips_end(&f);
}

/* ---- sites with more values ---------------------------------------------- */

/* The softmax over the values of one coordinate. The logits are quadratic in
 * the value. */
typedef struct cs_parabola {
    cs_vd slope, half, x, top;
} cs_parabola;

static inline cs_vd cs_parabola_at(const cs_parabola *p, cs_vd v)
{
    cs_vd move = v - p->x;
    return move * (p->slope - move * p->half);
}

/* Computes `top`, the largest logit, which belongs to the value nearest to the
 * vertex of the parabola. */
static inline cs_parabola
cs_parabola_begin(const cs_move *m, const cs_langevin *q, size_t at, cs_vd x)
{
    cs_vd low = cs_vset(m->space->low), high = low + (m->space->values - 1.0);
    cs_parabola p = {q->balance * cs_langevin_slope(q, at, x), 0.5 / q->step, x,
                     cs_vset(0)};
    cs_vd vertex = x + p.slope * q->step;
    vertex = cs_vselect(vertex < low, low, vertex);
    vertex = cs_vselect(vertex > high, high, vertex);
    p.top = cs_parabola_at(&p, (vertex + 0x1.8p52) - 0x1.8p52);
    return p;
}

/* Writes exp(logit - top) of each value to weight[v]. Returns their sum. */
static inline cs_vd cs_parabola_sum(const cs_move *m, const cs_parabola *p,
                                    double *weight)
{
    cs_vd sum = cs_vset(0), v = cs_vset(m->space->low);
    size_t values = (size_t)m->space->values;
    for (size_t k = 0; k < values; k++, v += 1.0) {
        cs_vd w = cs_vexp(cs_parabola_at(p, v) - p->top);
        cs_store(weight + k * CS_VECTOR, w);
        sum += w;
    }
    return sum;
}

/* Returns the value at which the cumulative sum of weights passes the
 * threshold. A value of weight 0 is never drawn. If all weights are NaN,
 * returns the old value. */
static inline cs_vd cs_draw_value(const cs_move *m, const double *weight,
                                  cs_vd threshold, cs_vd old)
{
    cs_vd below = cs_vset(0), v = cs_vset(m->space->low), drawn = old;
    for (size_t k = 0; k < (size_t)m->space->values; k++, v += 1.0) {
        cs_vd w = cs_load(weight + k * CS_VECTOR);
        drawn = cs_vselect((below <= threshold) & (w > 0.0), v, drawn);
        below += w;
    }
    return drawn;
}

static inline cs_vd cs_values_propose(const cs_move *m, const cs_langevin *q,
                                      size_t l, double *y,
                                      const double *uniform, size_t by)
{
    cs_vd log_q = cs_vset(0);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes, uniform += by) {
        cs_vd x = cs_load(m->x + at);
        cs_parabola p = cs_parabola_begin(m, q, at, x);
        cs_vd sum = cs_parabola_sum(m, &p, q->weight);
        cs_vd v = cs_draw_value(m, q->weight, cs_load(uniform) * sum, x);
        cs_store(y + at, v);
        log_q += cs_parabola_at(&p, v) - p.top - cs_vlog(sum);
    }
    return log_q;
}

static inline cs_vd cs_values_log(const cs_move *m, const cs_langevin *q,
                                  size_t l, const double *from,
                                  const double *to)
{
    cs_vd log_q = cs_vset(0);
    for (size_t at = l; at < m->dim * m->lanes; at += m->lanes) {
        cs_parabola p = cs_parabola_begin(m, q, at, cs_load(from + at));
        cs_vd sum = cs_parabola_sum(m, &p, q->weight);
        log_q += cs_parabola_at(&p, cs_load(to + at)) - p.top - cs_vlog(sum);
    }
    return log_q;
}

/* ---- one bit per value --------------------------------------------------- */

/* Returns 1 - a_x. x is 1 at the set bit and 0 elsewhere. The difference
 * between the pull of the auxiliary variable a for value v and its pull for the
 * value x_i is therefore (a_v + 1 - a_x) / eta. */
static inline cs_vd cs_hot_pull_here(const cs_move *m, const cs_langevin *q,
                                     size_t l, size_t i, cs_vd x)
{
    size_t values = (size_t)m->space->values;
    cs_vd here = cs_vset(1), v = cs_vset(m->space->low);
    for (size_t k = 0; q->a && k < values; k++, v += 1.0) {
        cs_vd a = cs_load(q->a + (i * values + k) * m->lanes + l);
        here -= cs_vselect(v == x, a, cs_vset(0));
    }
    return here;
}

/* Computes logit[v] of site i for eight lanes. Returns the largest logit. */
static inline cs_vd cs_hot_logits(const cs_move *m, const cs_langevin *q,
                                  size_t l, size_t i, cs_vd x)
{
    size_t values = (size_t)m->space->values;
    cs_vd top = cs_vset(0), v = cs_vset(m->space->low), far = 1.0 / q->step;
    cs_vd here = cs_hot_pull_here(m, q, l, i, x);
    for (size_t k = 0; k < values; k++, v += 1.0) {
        size_t at = (i * values + k) * m->lanes + l;
        cs_vd d = cs_load(q->g + at);
        if (q->a)
            d += (cs_load(q->a + at) + here) * q->pull;
        d = cs_vselect(v != x, q->balance * d - far, cs_vset(0));
        cs_store(q->weight + k * CS_VECTOR, d);
        top = cs_vmax(d, top);
    }
    return top;
}

/* Replaces the logits by weights and returns their sum. Sets *log_to (unless
 * NULL) to the log weight of value `to`. */
static inline cs_vd cs_hot_sum(const cs_move *m, const cs_langevin *q,
                               cs_vd top, cs_vd to, cs_vd *log_to)
{
    cs_vd sum = cs_vset(0), v = cs_vset(m->space->low);
    for (size_t k = 0; k < (size_t)m->space->values; k++, v += 1.0) {
        cs_vd logit = cs_load(q->weight + k * CS_VECTOR) - top;
        if (log_to)
            *log_to = cs_vselect(v == to, logit, *log_to);
        cs_vd w = cs_vexp(logit);
        cs_store(q->weight + k * CS_VECTOR, w);
        sum += w;
    }
    return sum;
}

static inline cs_vd cs_hot_propose(const cs_move *m, const cs_langevin *q,
                                   size_t l, double *y, const double *uniform,
                                   size_t by)
{
    cs_vd log_q = cs_vset(0);
    for (size_t i = 0; i < m->dim; i++, uniform += by) {
        size_t at = i * m->lanes + l;
        cs_vd x = cs_load(m->x + at), top = cs_hot_logits(m, q, l, i, x);
        cs_vd sum = cs_hot_sum(m, q, top, x, NULL), taken = cs_vset(0);
        cs_vd v = cs_draw_value(m, q->weight, cs_load(uniform) * sum, x);
        cs_store(y + at, v);
        for (size_t k = 0; k < (size_t)m->space->values; k++)
            taken = cs_vselect(v == m->space->low + (double)k,
                               cs_load(q->weight + k * CS_VECTOR), taken);
        log_q += cs_vlog(taken) - cs_vlog(sum);
    }
    return log_q;
}

static inline cs_vd cs_hot_log(const cs_move *m, const cs_langevin *q, size_t l,
                               const double *from, const double *to)
{
    cs_vd log_q = cs_vset(0);
    for (size_t i = 0; i < m->dim; i++) {
        size_t at = i * m->lanes + l;
        cs_vd top = cs_hot_logits(m, q, l, i, cs_load(from + at));
        cs_vd taken = cs_vset(0);
        cs_vd sum = cs_hot_sum(m, q, top, cs_load(to + at), &taken);
        log_q += taken - cs_vlog(sum);
    }
    return log_q;
}

/* Fills g for a state x. If `which` is NEXT, also evaluates logp[lanes]; if it
 * is NOW, logp is given. Sets logp to NaN where logp is finite but g contains
 * NaN. */
static inline void cs_langevin_evaluate(cs_move *m, cs_which which, bool hot,
                                        const double *x, double *logp,
                                        double *g)
{
    if (!hot) {
        cs_eval_gradient(m->eval, which, x, logp, g);
        return;
    }
    cs_eval_one_hot(m->eval, which, x, logp, g);
    size_t end = cs_coding_rows(m, hot) * m->lanes;
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd now = cs_load(logp + l);
        cs_vi bad = {0};
        for (size_t at = l; at < end; at += m->lanes)
            bad |= cs_load(g + at) != cs_load(g + at);
        bad &= now > -CS_VM_INF;
        cs_store(logp + l, cs_vselect(bad, cs_vset(CS_VM_NAN), now));
    }
}

/* ---- sites of any kind --------------------------------------------------- */

/* Draws y from x for eight lanes. uniform[dim][by] starts at the first of these
 * lanes. Returns log q(y | x). */
static inline cs_vd cs_langevin_propose(const cs_move *m, const cs_langevin *q,
                                        size_t l, double *y,
                                        const double *uniform, size_t by)
{
    if (q->hot)
        return cs_hot_propose(m, q, l, y, uniform, by);
    if (m->space->kind != CS_BINARY)
        return cs_values_propose(m, q, l, y, uniform, by);
    if (q->quick)
        return cs_odds_propose(m, cs_odds_begin(q->balance, q->step), l, q->g,
                               y, uniform, by);
    return cs_flips_propose(m, q, l, y, uniform, by);
}

/* Returns log q(to | from) for eight lanes. */
static inline cs_vd cs_langevin_log(const cs_move *m, const cs_langevin *q,
                                    size_t l, const double *from,
                                    const double *to)
{
    if (q->hot)
        return cs_hot_log(m, q, l, from, to);
    if (m->space->kind != CS_BINARY)
        return cs_values_log(m, q, l, from, to);
    if (q->quick)
        return cs_odds_log(m, cs_odds_begin(q->balance, q->step), l, q->f, from,
                           to);
    return cs_flips_log(m, q, l, from, to);
}
