/* locally_balanced and gwg: the neighbours of x (one site at another value)
 * are proposed with weights that balance the change of U,
 *
 *   q(y | x) = b(U(y) - U(x)) / Z(x),  b(d) = e^d b(-d),
 *   b: sqrt   e^(d/2)
 *      barker 1 / (1 + e^-d)
 *      min    min(1, e^d)
 *      max    max(1, e^d)
 *
 * and accepted by Metropolis and Hastings, with probability min(1, Z(x)/Z(y)).
 *
 * Zanella, "Informed proposals for local MCMC in discrete spaces" (2020),
 * section 2: locally_balanced takes the exact differences of all neighbours.
 * Grathwohl, Swersky, Hashemi, Duvenaud and Maddison, "Oops I took a gradient:
 * scalable sampling for discrete distributions" (2021), Algorithm 1: gwg takes
 * the estimate grad U(x) . (y - x), with b = sqrt. GWG-X draws X sites from
 * that law, with replacement, and flips the set of them; the draws in their
 * order are scored, back and forth, which is exact. In an ordinal space the
 * neighbours are the values within `reach`, as there; sites without an order
 * are ordered values to gwg, or (values = one_hot) one bit a value: the
 * extension of U is then linear in the bits of a site, and the estimate exact.
 * What is known of x is kept, so that a step costs
 * one gradient, or the differences of one state. */
#include "kernel/accept.h"

#include <math.h>
#include <string.h>

enum { FUNCTION, REACH, FLIPS, FORCE, VALUES };
enum { ORDERED, ONE_HOT };
enum { SQRT, BARKER, MIN, MAX };
enum { MOST_FLIPS = 32 };

/* Moves from a state: a flip a site; else one a site and value. */
static size_t moves_of(const cs_space *space)
{
    size_t values = space->kind == CS_BINARY ? 1 : (size_t)space->values;
    return space->dim * values;
}

/* memory: the differences or the gradient at x. scratch: y, the same at y,
 * weights, draws, uniforms. */
static size_t difference_words(const cs_target *t)
{
    return moves_of(&t->space);
}

/* The most there may be. */
static size_t gradient_words(const cs_target *t)
{
    bool may = t->space.kind == CS_CATEGORICAL;
    return may ? difference_words(t) : t->space.dim;
}

/* Whether gwg takes categorical sites as one bit a value: as differences. */
static bool is_hot(const cs_move *m)
{
    return m->space->kind == CS_CATEGORICAL &&
           cs_move_param(m, VALUES)[0] == ONE_HOT;
}

static size_t scratch_words(const cs_target *t)
{
    return t->space.dim + 2 * moves_of(&t->space) + 2 * MOST_FLIPS;
}

/* U unless it is known (NOW), and the gradient or the force, by way of room. */
static void look_along(cs_move *m, cs_which which, const double *x, double *u,
                       double *known, double *room)
{
    int force = (int)cs_move_param(m, FORCE)[0];
    float *f = (float *)(void *)room;
    if (force == CS_FORCE_EXACT || !m->eval->target->type->force) {
        cs_eval_gradient(m->eval, which, x, u, known);
        return;
    }
    if (which == CS_NEXT)
        cs_eval_log_density(m->eval, which, x, u);
    cs_eval_force_of(m->eval, which, force == CS_FORCE_BYTES, x, f);
    for (size_t k = 0; k < m->dim * m->lanes; k += CS_VECTOR)
        cs_store(known + k, cs_vwiden(f + k));
}

static void init_differences(cs_move *m)
{
    cs_eval_neighbours(m->eval, CS_NOW, m->x, m->info.u, m->memory);
}

static void init_gradient(cs_move *m)
{
    if (is_hot(m))
        init_differences(m);
    else
        look_along(m, CS_NOW, m->x, m->info.u, m->memory, m->scratch);
}

/* ---- weights ------------------------------------------------------------- */

/* What is known at a state: differences, or the gradient they are estimated
 * from. */
typedef struct sight {
    const cs_move *m;
    const double *x;
    const double *known;
    bool exact;
} sight;

/* log b(d); NaN of NaN. */
static inline cs_vd balance(int function, cs_vd d)
{
    switch (function) {
    case BARKER:
        return -cs_vsoftplus(-d);
    case MIN:
        return cs_vmin(cs_vset(0), d);
    case MAX:
        return cs_vmax(cs_vset(0), d);
    default:
        return 0.5 * d;
    }
}

/* log b of move `row` of eight lanes: -HUGE_VAL where it is none. */
static inline cs_vd log_weight(const sight *s, size_t l, size_t site, size_t v,
                               size_t row, int function, cs_vd reach)
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
        return balance(function, d);
    cs_vi other = (by != 0.0) & (cs_vabs(by) <= reach);
    return cs_vselect(other, balance(function, d), cs_vset(-CS_VM_INF));
}

static cs_vd reach_of(const cs_move *m, size_t l)
{
    if (m->space->kind != CS_ORDINAL)
        return cs_vset(CS_VM_INF);
    return cs_load(cs_move_param(m, REACH) + l);
}

/* weight[moves] of eight lanes, the largest 1; returns log Z; *sum of them. */
static inline cs_vd weigh_as(const sight *s, size_t l, double *weight,
                             int function, cs_vd *sum)
{
    size_t n = s->m->lanes, moves = moves_of(s->m->space), row = 0;
    size_t values = moves / s->m->dim;
    cs_vd reach = reach_of(s->m, l), top = cs_vset(-CS_VM_INF);
    for (size_t i = 0; i < s->m->dim; i++)
        for (size_t v = 0; v < values; v++, row++) {
            cs_vd w = log_weight(s, l, i, v, row, function, reach);
            cs_store(weight + row * n + l, w);
            top = cs_vmax(w, top);
        }
    top = cs_vselect(top > -CS_VM_INF, top, cs_vset(0));
    *sum = cs_vset(0);
    for (row = 0; row < moves; row++) {
        cs_vd w = cs_vexp_below(cs_load(weight + row * n + l) - top);
        cs_store(weight + row * n + l, w);
        *sum += w;
    }
    return top + cs_vlog(*sum);
}

static cs_vd weigh(const sight *s, size_t l, double *weight, cs_vd *sum)
{
    switch ((int)cs_move_param(s->m, FUNCTION)[0]) {
    case BARKER:
        return weigh_as(s, l, weight, BARKER, sum);
    case MIN:
        return weigh_as(s, l, weight, MIN, sum);
    case MAX:
        return weigh_as(s, l, weight, MAX, sum);
    default:
        return weigh_as(s, l, weight, SQRT, sum);
    }
}

/* log b of the move row[lane]; where that is negative, -HUGE_VAL. */
static cs_vd log_weight_at(const sight *s, size_t l, cs_vd row)
{
    const cs_space *space = s->m->space;
    size_t n = s->m->lanes, values = moves_of(space) / s->m->dim;
    cs_vd d = cs_vset(0), by = cs_vset(0);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        size_t r = row[k] < 0 ? 0 : (size_t)row[k], site = r / values;
        double x = s->x[site * n + l + k];
        by[k] = space->kind == CS_BINARY
                    ? 1 - 2 * x
                    : space->low + (double)(r % values) - x;
        d[k] = s->exact ? s->known[r * n + l + k]
                        : by[k] * s->known[site * n + l + k];
    }
    cs_vi is = (row >= 0.0) & (by != 0.0) & (cs_vabs(by) <= reach_of(s->m, l));
    d = balance((int)cs_move_param(s->m, FUNCTION)[0], d);
    return cs_vselect(is, d, cs_vset(-CS_VM_INF));
}

/* The move at which the running sum of weights passes the threshold; one of
 * weight 0 is never drawn; -1 if all are 0, or NaN. */
static cs_vd draw_move(const cs_move *m, size_t l, const double *weight,
                       cs_vd threshold)
{
    cs_vd below = cs_vset(0), row = cs_vset(0), drawn = cs_vset(-1);
    size_t moves = moves_of(m->space);
    for (size_t at = l; at < moves * m->lanes; at += m->lanes, row += 1.0) {
        cs_vd w = cs_load(weight + at);
        drawn = cs_vselect((below <= threshold) & (w > 0.0), row, drawn);
        below += w;
    }
    return drawn;
}

/* ---- the step ------------------------------------------------------------ */

typedef struct room {
    double *y, *known, *weight, *drawn, *uniform;
    size_t flips;
} room;

static room room_of(const cs_move *m, bool exact)
{
    size_t n = m->lanes, moves = moves_of(m->space);
    room r = {.y = m->scratch, .flips = 1};
    r.known = r.y + m->dim * n;
    r.weight = r.known + moves * n;
    r.drawn = r.weight + moves * n;
    r.uniform = r.drawn + MOST_FLIPS * n;
    if (!exact && m->space->kind == CS_BINARY)
        r.flips = (size_t)cs_move_param(m, FLIPS)[0];
    return r;
}

/* y with the move row of one lane made. */
static void make_move(const cs_move *m, size_t lane, double row, double *y)
{
    if (row < 0)
        return;
    size_t values = moves_of(m->space) / m->dim, r = (size_t)row;
    size_t at = r / values * m->lanes + lane;
    y[at] = m->space->kind == CS_BINARY ? 1 - m->x[at]
                                        : m->space->low + (double)(r % values);
}

/* The move that undoes it. */
static double undone(const cs_move *m, size_t lane, double row)
{
    if (m->space->kind == CS_BINARY || row < 0)
        return row;
    size_t values = (size_t)m->space->values, site = (size_t)row / values;
    double x = m->x[site * m->lanes + lane] - m->space->low;
    return (double)(site * values) + x;
}

/* Eight lanes: draws the moves, makes them in y; log_q_forward, NaN where a
 * weight is. Where there is no move, y = x and it is 0. */
static void draw_moves(cs_move *m, const room *r, const sight *here, size_t l)
{
    size_t n = m->lanes;
    cs_vd sum, log_z = weigh(here, l, r->weight, &sum), log_q = cs_vset(0);
    for (size_t k = 0; k < r->flips; k++) {
        cs_vd row =
            draw_move(m, l, r->weight, cs_load(r->uniform + k * n + l) * sum);
        cs_store(r->drawn + k * n + l, row);
        log_q += log_weight_at(here, l, row) - log_z;
        for (size_t i = 0; i < CS_VECTOR; i++)
            make_move(m, l + i, row[i], r->y);
    }
    log_q = cs_vselect(sum == 0.0, cs_vset(0), log_q);
    log_q = cs_vselect(sum != sum, sum, log_q);
    cs_store(m->info.log_q_forward + l, log_q);
}

/* Eight lanes: log_q_back. A NaN of either weighing makes U(y) NaN, so that
 * the chain stops. */
static void score_back(cs_move *m, const room *r, const sight *there, size_t l)
{
    size_t n = m->lanes;
    cs_info *i = &m->info;
    cs_vd sum, log_z = weigh(there, l, r->weight, &sum), log_q = cs_vset(0);
    cs_vd first = cs_load(r->drawn + l), u = cs_load(i->u_proposal + l);
    for (size_t k = 0; k < r->flips; k++) {
        cs_vd back = cs_load(r->drawn + k * n + l);
        for (size_t j = 0; j < CS_VECTOR; j++)
            back[j] = undone(m, l + j, back[j]);
        log_q += log_weight_at(there, l, back) - log_z;
    }
    log_q = cs_vselect(first < 0.0, cs_vset(0), log_q);
    cs_vi bad = (sum != sum) & (u > -CS_VM_INF);
    cs_vd forward = cs_load(i->log_q_forward + l);
    bad |= forward != forward;
    cs_store(i->log_q_back + l, log_q);
    cs_store(i->u_proposal + l, cs_vselect(bad, cs_vset(CS_VM_NAN), u));
}

/* What is known at y, once it is evaluated. */
static void look_at(cs_move *m, const room *r, const double *y, double *u,
                    bool exact)
{
    if (exact) {
        cs_eval_log_density(m->eval, CS_NEXT, y, u);
        cs_eval_neighbours(m->eval, CS_NEXT, y, u, r->known);
    } else {
        look_along(m, CS_NEXT, y, u, r->known, r->weight);
    }
}

static void step(cs_move *m, bool exact)
{
    room r = room_of(m, exact);
    const sight here = {m, m->x, m->memory, exact};
    const sight there = {m, r.y, r.known, exact};
    m->info.proposal = r.y;
    memcpy(r.y, m->x, m->dim * m->lanes * sizeof *r.y);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, r.flips, r.uniform);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        draw_moves(m, &r, &here, l);
    look_at(m, &r, r.y, m->info.u_proposal, exact);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        score_back(m, &r, &there, l);
    cs_accept(m);
    cs_keep_moved(m->info.moved, m->lanes, exact ? moves_of(m->space) : m->dim,
                  r.known, m->memory);
}

static void step_gradient(cs_move *m)
{
    step(m, is_hot(m));
}

static void step_differences(cs_move *m)
{
    step(m, true);
}

/* ---- log q --------------------------------------------------------------- */

/* The move from one state to another: -1 if there is none. */
static double move_to(const cs_move *m, const double *from, const double *to,
                      size_t lane)
{
    size_t values = moves_of(m->space) / m->dim;
    double row = -1;
    for (size_t i = 0; i < m->dim; i++) {
        size_t at = i * m->lanes + lane;
        if (from[at] == to[at])
            continue;
        if (row >= 0)
            return -1;
        size_t v = values > 1 ? (size_t)(to[at] - m->space->low) : 0;
        row = (double)(i * values + v);
    }
    return row;
}

static void log_q(cs_move *m, const double *from, const double *to, double *out,
                  bool exact)
{
    room r = room_of(m, exact);
    const sight s = {m, from, r.known, exact};
    look_at(m, &r, from, out, exact);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd sum, row, log_z = weigh(&s, l, r.weight, &sum);
        for (size_t k = 0; k < CS_VECTOR; k++)
            row[k] = move_to(m, from, to, l + k);
        row = log_weight_at(&s, l, row) - log_z;
        if (r.flips > 1) /* draws in order: the set has no density */
            row = cs_vset(CS_VM_NAN);
        cs_store(out + l, row);
    }
}

static void log_q_gradient(cs_move *m, const double *from, const double *to,
                           double *out)
{
    log_q(m, from, to, out, is_hot(m));
}

static void log_q_differences(cs_move *m, const double *from, const double *to,
                              double *out)
{
    log_q(m, from, to, out, true);
}

static cs_status check_gradient(const cs_target *t, const double *values,
                                cs_error *err)
{
    if (values[FLIPS] == 1 || t->space.kind == CS_BINARY)
        return cs_kernel_check_force("gwg", t, values[FORCE], err);
    cs_fail(err, CS_UNSUPPORTED, "gwg: flips = %g need bits, but %s is %s",
            values[FLIPS], t->name, cs_space_name(t->space.kind));
    cs_mend(err, "set flips = 1");
    return CS_UNSUPPORTED;
}

static const char *const functions[] = {"sqrt", "barker", "min", "max", NULL};

static const char *const takes[] = {"ordered", "one_hot", NULL};

#define COMMON_ROWS                                                            \
    [FUNCTION] = {.name = "function",                                          \
                  .unit = "",                                                  \
                  .kind = CS_PARAM_CHOICE,                                     \
                  .flags = CS_PARAM_SHARED,                                    \
                  .max = 3,                                                    \
                  .choices = functions,                                        \
                  .help = "b(t) of a neighbour t times as likely: sqrt t, "    \
                          "t / (1 + t), min(1, t), max(1, t)",                 \
                  .ref = "Zanella 2020, section 3"},                           \
    [REACH] = {.name = "reach",                                                \
               .unit = "values",                                               \
               .kind = CS_PARAM_INT,                                           \
               .flags = CS_PARAM_SHARED | CS_PARAM_LOG,                        \
               .min = 1,                                                       \
               .max = 1e6,                                                     \
               .def = 1,                                                       \
               .help = "how far an ordinal site may go; no matter elsewhere"}

static const cs_param rows_differences[] = {COMMON_ROWS};

static const cs_param rows_gradient[] = {
    COMMON_ROWS,
    [FLIPS] = {.name = "flips",
               .unit = "draws",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED,
               .min = 1,
               .max = MOST_FLIPS,
               .def = 1,
               .help = "sites drawn, with replacement, to be flipped together; "
                       "more than 1 on bits only"},
    [FORCE] = {.name = "force",
               .unit = "",
               .kind = CS_PARAM_CHOICE,
               .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
               .max = CS_FORCE_BYTES,
               .def = CS_FORCE_EXACT,
               .choices = cs_force_names,
               .help = "what estimates: the gradient, a quick one of single "
                       "precision, or one of bytes; the target is exact with "
                       "any"},
    [VALUES] = {.name = "values",
                .unit = "",
                .kind = CS_PARAM_CHOICE,
                .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
                .max = 1,
                .choices = takes,
                .help = "a categorical site as a number, or as one bit a "
                        "value, which takes all differences of U each step; "
                        "no matter elsewhere"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_locally_balanced) = {
    .name = "locally_balanced",
    .title = "Locally balanced",
    .ref = "Zanella, Informed proposals for local MCMC in discrete spaces, "
           "2020, section 2",
    .help = "Proposes one site's change by what each of them would do to U, "
            "and corrects. Needs no gradient, but all differences each step.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS,
    .params = rows_differences,
    .n_params = sizeof rows_differences / sizeof *rows_differences,
    .memory_words = difference_words,
    .carried_words = difference_words,
    .scratch_words = scratch_words,
    .init = init_differences,
    .step = step_differences,
    .log_q = log_q_differences,
};

const cs_kernel_type CS_VARIANT(cs_kernel_gwg) = {
    .name = "gwg",
    .title = "Gibbs with gradients",
    .ref = "Grathwohl et al., Oops I took a gradient: scalable sampling for "
           "discrete distributions, 2021, Algorithm 1",
    .help = "Proposes one site's change, or several flips, by what the "
            "gradient says of each, and corrects.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    .params = rows_gradient,
    .n_params = sizeof rows_gradient / sizeof *rows_gradient,
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .check = check_gradient,
    .init = init_gradient,
    .step = step_gradient,
    .log_q = log_q_gradient,
};
