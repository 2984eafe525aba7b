/* The weights with which the neighbours of a state are proposed, for the
 * kernels of locally_balanced.c. Each possible move has a row. A move changes
 * one site to one value; in a binary space each site has one move, its flip. */
#pragma once

#include "kernel/lanes.h"
#include "simd/vfloat.h"

/* The choices of the balancing function b, as defined in locally_balanced.c. */
enum { CS_SQRT, CS_BARKER, CS_MIN, CS_MAX };
static const char *const cs_balancing_names[] = {"sqrt", "barker", "min", "max",
                                                 NULL};

/* The parameter row of these kernels that chooses the balancing function. */
#define CS_BALANCING_ROW                                                       \
    {                                                                          \
        .name = "balancing", .unit = "", .kind = CS_PARAM_CHOICE,              \
        .flags = CS_PARAM_SHARED, .max = CS_MAX,                               \
        .choices = cs_balancing_names,                                         \
        .help = "balancing function b(t), the weight of a change to a "        \
                "state that is t times as likely. sqrt: sqrt t; barker: "      \
                "t / (1 + t); min: min(1, t); max: max(1, t)",                 \
        .ref = "Zanella 2020, section 3",                                      \
    }
#define CS_RADIUS_ROW                                                          \
    {                                                                          \
        .name = "radius", .unit = "values", .kind = CS_PARAM_INT,              \
        .flags = CS_PARAM_SHARED | CS_PARAM_LOG | CS_PARAM_SIZE, .min = 1,     \
        .max = 1e6, .def = 1,                                                  \
        .help = "largest move of an ordinal site; unused in other spaces",     \
        .spaces = CS_ORDINAL,                                                  \
    }

/* Returns the number of moves: one flip per site, or one per site and value. */
static inline size_t cs_moves_of(const cs_space *space)
{
    size_t values = space->kind == CS_BINARY ? 1 : (size_t)space->values;
    return space->dim * values;
}

/* A state x, with its differences of log p or the gradient that estimates
 * them. */
typedef struct cs_neighbours {
    const cs_move *m;
    const double *x;
    const double *known;
    const double *radius; /* [lanes] largest change of an ordinal site */
    int function;
    bool exact; /* true: `known` holds exact differences of log p */
    bool quick; /* true: weights of flips, with b = sqrt, are computed in single
                   precision */
} cs_neighbours;

/* Returns log b(d); NaN for NaN. */
static inline cs_vd cs_balance(int function, cs_vd d)
{
    switch (function) {
    case CS_BARKER:
        return -cs_vsoftplus(-d);
    case CS_MIN:
        return cs_vmin(cs_vset(0), d);
    case CS_MAX:
        return cs_vmax(cs_vset(0), d);
    default:
        return 0.5 * d;
    }
}

/* Returns the log weight of move `row` in eight lanes; -HUGE_VAL if the move
 * does not exist. */
static inline cs_vd cs_log_weight(const cs_neighbours *s, size_t l, size_t site,
                                  size_t v, size_t row, int function,
                                  cs_vd radius)
{
    const cs_space *space = s->m->space;
    size_t n = s->m->lanes;
    cs_vd x = cs_load(s->x + site * n + l);
    cs_vd d = cs_load(s->known + (s->exact ? row : site) * n + l);
    bool bits = space->kind == CS_BINARY;
    cs_vd by = bits ? 1.0 - 2.0 * x : (space->low + (double)v) - x;
    if (!s->exact)
        d *= by;
    if (bits)
        return cs_balance(function, d);
    cs_vi other = by != 0.0;
    if (space->kind == CS_ORDINAL)
        other &= cs_vabs(by) <= radius;
    return cs_vselect(other, cs_balance(function, d), cs_vset(-CS_VM_INF));
}

/* Computes weight[moves] for eight lanes, scaled to a maximum of 1. Returns the
 * sum. */
static inline cs_vd cs_weigh_as(const cs_neighbours *s, size_t l,
                                double *weight, int function)
{
    size_t n = s->m->lanes, moves = cs_moves_of(s->m->space), row = 0;
    size_t values = moves / s->m->dim;
    cs_vd radius = cs_load(s->radius + l), top = cs_vset(-CS_VM_INF);
    for (size_t i = 0; i < s->m->dim; i++)
        for (size_t v = 0; v < values; v++, row++) {
            cs_vd w = cs_log_weight(s, l, i, v, row, function, radius);
            if (s->exact) /* moves to states with log p = NaN get weight 0 */
                w = cs_vselect(w == w, w, cs_vset(-CS_VM_INF));
            cs_store(weight + row * n + l, w);
            top = cs_vmax(w, top);
        }
    top = cs_vselect(top > -CS_VM_INF, top, cs_vset(0));
    cs_vd sum = cs_vset(0);
    for (row = 0; row < moves; row++) {
        cs_vd w = cs_vexp_below(cs_load(weight + row * n + l) - top);
        cs_store(weight + row * n + l, w);
        sum += w;
    }
    return sum;
}

/* Computes the weights of flips with b = sqrt from a gradient in single
 * precision, scaled to a maximum of 1. Returns the sum. Any weights that depend
 * only on the state are correct, because log q is computed from the same
 * weights. */
static inline cs_vd cs_weigh_quickly(const cs_neighbours *s, size_t l,
                                     double *weight)
{
    size_t n = s->m->lanes, end = s->m->dim * n;
    cs_vd top = cs_vset(-CS_VM_INF), sum = cs_vset(0);
    for (size_t at = l; at < end; at += n) {
        cs_vd half = 0.5 - cs_load(s->x + at);
        top = cs_vmax(half * cs_load(s->known + at), top);
    }
    for (size_t at = l; at < end; at += n) {
        cs_vd half = 0.5 - cs_load(s->x + at);
        cs_vd d = cs_vfma(half, cs_load(s->known + at), -top);
        cs_vd w = cs_vfwiden(cs_vfexp_below(cs_vfround(d)));
        cs_store(weight + at, w);
        sum += w;
    }
    return sum;
}

static inline cs_vd cs_weigh(const cs_neighbours *s, size_t l, double *weight)
{
    switch (s->function) {
    case CS_BARKER:
        return cs_weigh_as(s, l, weight, CS_BARKER);
    case CS_MIN:
        return cs_weigh_as(s, l, weight, CS_MIN);
    case CS_MAX:
        return cs_weigh_as(s, l, weight, CS_MAX);
    default:
        return s->quick ? cs_weigh_quickly(s, l, weight)
                        : cs_weigh_as(s, l, weight, CS_SQRT);
    }
}

/* Returns the log weight of row[lane]; -HUGE_VAL for a negative row (no
 * move). */
static inline cs_vd cs_log_weight_of(const cs_move *m, size_t l,
                                     const double *weight, cs_vd row)
{
    cs_vd w = cs_vset(0);
    for (size_t k = 0; k < CS_VECTOR; k++)
        if (row[k] >= 0)
            w[k] = weight[(size_t)row[k] * m->lanes + l + k];
    return cs_vselect(w > 0.0, cs_vlog(w), cs_vset(-CS_VM_INF));
}

/* Returns the row at which the cumulative sum of weights passes the threshold.
 * A row of weight 0 is never drawn. Returns -1 if all weights are 0 or NaN. */
static inline cs_vd cs_draw_move(const cs_move *m, size_t l,
                                 const double *weight, cs_vd threshold)
{
    cs_vd below = cs_vset(0), row = cs_vset(0), drawn = cs_vset(-1);
    size_t moves = cs_moves_of(m->space);
    for (size_t at = l; at < moves * m->lanes; at += m->lanes, row += 1.0) {
        cs_vd w = cs_load(weight + at);
        drawn = cs_vselect((below <= threshold) & (w > 0.0), row, drawn);
        below += w;
    }
    return drawn;
}
