/* locally_balanced and gwg: the neighbours of x (one site at another value) are
 * proposed with weights that balance the change of log p,
 *
 *   q(y | x) = b(log p(y) - log p(x)) / Z(x),  b(d) = e^d b(-d),
 *   b: sqrt   e^(d/2)
 *      barker 1 / (1 + e^-d)
 *      min    min(1, e^d)
 *      max    max(1, e^d)
 *
 * and accepted with the Metropolis-Hastings probability min(1, Z(x)/Z(y)).
 *
 * Zanella, "Informed proposals for local MCMC in discrete spaces" (2020),
 * section 2: locally_balanced uses the exact differences of all neighbours.
 * Grathwohl, Swersky, Hashemi, Duvenaud and Maddison, "Oops I took a gradient:
 * scalable sampling for discrete distributions" (2021), Algorithm 1: gwg uses
 * the estimate grad log p(x) . (y - x), with b = sqrt. GWG-X draws X sites with
 * these weights, with replacement, and flips the set of drawn sites; log q is
 * the log probability of the sequence of draws, in both directions, so the
 * accept step is exact. In an ordinal space the neighbours are the values
 * within `radius`, as in the paper. gwg represents categorical values as
 * ordered numbers or (coding = one_hot) as one bit per value; if the extension
 * of log p is linear in the bits of a site, the estimate is then exact. The
 * gradient or the differences at x are stored, so each step evaluates them for
 * one state only. With a gradient in single precision the weights of gwg (b =
 * sqrt) are in single precision too; log q is computed from the same weights,
 * so the draws remain exact. */
#include "kernel/accept.h"
#include "kernels/discrete/coding.h"
#include "kernels/discrete/gradient_precision.h"
#include "kernels/discrete/neighbour_weights.h"

#include <string.h>

enum { BALANCING, RADIUS, FLIPS, GRADIENT_PRECISION, CODING };

/* The basis of the weights of the neighbours. EXACT: exact differences. BITS:
 * slopes with one bit per value. SLOPES: the gradient. */
typedef enum basis { EXACT, BITS, SLOPES } basis;
enum { MOST_FLIPS = 32 };

/* Return the size of the differences or the gradient, in doubles per lane.
 * Memory: the differences or the gradient at x. Scratch: y, the differences or
 * the gradient at y, the weights, the drawn moves, the uniforms. */
static size_t difference_words(const cs_target *t, const double *values)
{
    (void)values;
    return cs_moves_of(&t->space);
}

static size_t gradient_words(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return t->space.dim + 2 * cs_moves_of(&t->space) + 2 * MOST_FLIPS;
}

/* Returns whether the gradient is in single precision (gwg only). */
static bool is_low_precision(const cs_move *m)
{
    return cs_move_param(m, GRADIENT_PRECISION)[0] != CS_GRADIENT_DOUBLE &&
           m->eval->target->type->force;
}

/* Evaluates the gradient in the chosen precision and, unless `which` is NOW,
 * log p. (For NOW, log p is known.) room[dim][lanes] is scratch. */
static void evaluate_gradient(cs_move *m, cs_which which, const double *x,
                              double *logp, double *known, double *scratch)
{
    float *f = (float *)(void *)scratch;
    if (!is_low_precision(m)) {
        cs_eval_gradient(m->eval, which, x, logp, known);
        return;
    }
    if (which == CS_NEXT)
        cs_eval_log_density(m->eval, which, x, logp);
    cs_eval_low_gradient_of(m->eval, which, x, f);
    for (size_t k = 0; k < m->dim * m->lanes; k += CS_VECTOR)
        cs_store(known + k, cs_vwiden(f + k));
}

static void init_differences(cs_move *m)
{
    cs_eval_neighbours(m->eval, CS_NOW, m->x, m->info.logp, m->memory);
}

static void init_gradient(cs_move *m)
{
    if (cs_coding_is_hot(m, CODING))
        cs_eval_one_hot(m->eval, CS_NOW, m->x, m->info.logp, m->memory);
    else
        evaluate_gradient(m, CS_NOW, m->x, m->info.logp, m->memory, m->scratch);
}

static cs_neighbours neighbours_of(const cs_move *m, const double *x,
                                   const double *scratch, basis what)
{
    cs_neighbours s = {
        .m = m, .x = x, .known = scratch, .exact = what != SLOPES};
    s.function = (int)cs_move_param(m, BALANCING)[0];
    s.radius = cs_move_param(m, RADIUS);
    s.quick =
        what == SLOPES && m->space->kind == CS_BINARY && is_low_precision(m);
    return s;
}

/* ---- step ---------------------------------------------------------------- */

typedef struct room {
    double *y, *known, *weight, *drawn, *uniform;
    size_t flips;
} room;

static room room_of(const cs_move *m, basis what)
{
    size_t n = m->lanes, moves = cs_moves_of(m->space);
    room r = {.y = m->scratch, .flips = 1};
    r.known = r.y + m->dim * n;
    r.weight = r.known + moves * n;
    r.drawn = r.weight + moves * n;
    r.uniform = r.drawn + MOST_FLIPS * n;
    if (what == SLOPES && m->space->kind == CS_BINARY)
        r.flips = (size_t)cs_move_param(m, FLIPS)[0];
    return r;
}

/* Applies move number `row` of one lane to y. */
static void make_move(const cs_move *m, size_t lane, double row, double *y)
{
    if (row < 0)
        return;
    size_t values = cs_moves_of(m->space) / m->dim, r = (size_t)row;
    size_t at = r / values * m->lanes + lane;
    y[at] = m->space->kind == CS_BINARY ? 1 - m->x[at]
                                        : m->space->low + (double)(r % values);
}

/* Returns the index of the move that reverses move `row` of one lane. */
static double undone(const cs_move *m, size_t lane, double row)
{
    if (m->space->kind == CS_BINARY || row < 0)
        return row;
    size_t values = (size_t)m->space->values, site = (size_t)row / values;
    double x = m->x[site * m->lanes + lane] - m->space->low;
    return (double)(site * values) + x;
}

/* Draws the moves of eight lanes and applies them to y. Fills log_q_forward:
 * NaN if a weight is NaN, 0 if no move is possible (then y = x). */
static void draw_moves(cs_move *m, const room *r, const cs_neighbours *here,
                       size_t l)
{
    size_t n = m->lanes;
    cs_vd sum = cs_weigh(here, l, r->weight), log_z = cs_vlog(sum);
    cs_vd log_q = cs_vset(0);
    for (size_t k = 0; k < r->flips; k++) {
        cs_vd row = cs_draw_move(m, l, r->weight,
                                 cs_load(r->uniform + k * n + l) * sum);
        cs_store(r->drawn + k * n + l, row);
        log_q += cs_log_weight_of(m, l, r->weight, row) - log_z;
        for (size_t i = 0; i < CS_VECTOR; i++)
            make_move(m, l + i, row[i], r->y);
    }
    log_q = cs_vselect(sum == 0.0, cs_vset(0), log_q);
    log_q = cs_vselect(sum != sum, sum, log_q);
    cs_store(m->info.log_q_forward + l, log_q);
}

/* Fills log_q_back for eight lanes. If a weight at x or y is NaN, log p(y)
 * becomes NaN, so the proposal is rejected. With exact differences, a NaN means
 * that some log p is infinite; log p(y) then becomes HUGE_VAL instead. */
static void score_back(cs_move *m, const room *r, const cs_neighbours *there,
                       size_t l)
{
    size_t n = m->lanes;
    cs_info *i = &m->info;
    cs_vd sum = cs_weigh(there, l, r->weight), log_z = cs_vlog(sum);
    cs_vd log_q = cs_vset(0);
    cs_vd first = cs_load(r->drawn + l), logp = cs_load(i->logp_proposal + l);
    for (size_t k = 0; k < r->flips; k++) {
        cs_vd back = cs_load(r->drawn + k * n + l);
        for (size_t j = 0; j < CS_VECTOR; j++)
            back[j] = undone(m, l + j, back[j]);
        log_q += cs_log_weight_of(m, l, r->weight, back) - log_z;
    }
    log_q = cs_vselect(first < 0.0, cs_vset(0), log_q);
    cs_vi bad = (sum != sum) & (logp > -CS_VM_INF);
    cs_vd forward = cs_load(i->log_q_forward + l);
    bad |= forward != forward;
    cs_store(i->log_q_back + l, log_q);
    double worst = there->exact ? CS_VM_INF : CS_VM_NAN;
    cs_store(i->logp_proposal + l, cs_vselect(bad, cs_vset(worst), logp));
}

/* Evaluates log p, and the differences or the gradient, at y. */
static void evaluate(cs_move *m, const room *r, const double *y, double *logp,
                     basis what)
{
    if (what == BITS) {
        cs_eval_one_hot(m->eval, CS_NEXT, y, logp, r->known);
    } else if (what == EXACT) {
        cs_eval_log_density(m->eval, CS_NEXT, y, logp);
        cs_eval_neighbours(m->eval, CS_NEXT, y, logp, r->known);
    } else {
        evaluate_gradient(m, CS_NEXT, y, logp, r->known, r->weight);
    }
}

static void step(cs_move *m, basis what)
{
    room r = room_of(m, what);
    const cs_neighbours here = neighbours_of(m, m->x, m->memory, what);
    const cs_neighbours there = neighbours_of(m, r.y, r.known, what);
    m->info.proposal = r.y;
    memcpy(r.y, m->x, m->dim * m->lanes * sizeof *r.y);
    cs_fill_uniform(&m->streams, CS_FOR_PROPOSAL, r.flips, r.uniform);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        draw_moves(m, &r, &here, l);
    evaluate(m, &r, r.y, m->info.logp_proposal, what);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        score_back(m, &r, &there, l);
    cs_accept(m);
    cs_commit_moved(m->info.moved, m->lanes,
                    what == SLOPES ? m->dim : cs_moves_of(m->space), r.known,
                    m->memory);
}

static void step_gradient(cs_move *m)
{
    step(m, cs_coding_is_hot(m, CODING) ? BITS : SLOPES);
}

static void step_differences(cs_move *m)
{
    step(m, EXACT);
}

/* ---- log q --------------------------------------------------------------- */

/* Returns the index of the move from one state to another, or -1 if no single
 * move connects the two states. */
static double move_to(const cs_move *m, const double *from, const double *to,
                      size_t lane)
{
    size_t values = cs_moves_of(m->space) / m->dim;
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
                  basis what)
{
    room r = room_of(m, what);
    const cs_neighbours s = neighbours_of(m, from, r.known, what);
    evaluate(m, &r, from, out, what);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        cs_vd row, log_z = cs_vlog(cs_weigh(&s, l, r.weight));
        for (size_t k = 0; k < CS_VECTOR; k++)
            row[k] = move_to(m, from, to, l + k);
        row = cs_log_weight_of(m, l, r.weight, row) - log_z;
        if (r.flips > 1) /* the set of drawn sites has no known density; only
                            the sequence of draws has a known density */
            row = cs_vset(CS_VM_NAN);
        cs_store(out + l, row);
    }
}

static void log_q_gradient(cs_move *m, const double *from, const double *to,
                           double *out)
{
    log_q(m, from, to, out, cs_coding_is_hot(m, CODING) ? BITS : SLOPES);
}

static void log_q_differences(cs_move *m, const double *from, const double *to,
                              double *out)
{
    log_q(m, from, to, out, EXACT);
}

static cs_status check_gradient(const cs_target *t, const double *values,
                                cs_error *err)
{
    if (values[FLIPS] == 1 || t->space.kind == CS_BINARY)
        return cs_kernel_check_precision("gwg", t, values[GRADIENT_PRECISION],
                                         err);
    cs_fail(err, CS_UNSUPPORTED,
            "gwg: flips = %g needs a binary space, but target %s is %s",
            values[FLIPS], t->name, cs_space_name(t->space.kind));
    cs_hint(err, "set flips = 1");
    return CS_UNSUPPORTED;
}

static const cs_param rows_differences[] = {
    [BALANCING] = CS_BALANCING_ROW,
    [RADIUS] = CS_RADIUS_ROW,
};

static const cs_param rows_gradient[] = {
    [BALANCING] = CS_BALANCING_ROW,
    [RADIUS] = CS_RADIUS_ROW,
    [FLIPS] = {.name = "flips",
               .unit = "draws",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_SHARED | CS_PARAM_SIZE,
               CS_PARAM_RANGE(1, MOST_FLIPS, 1),
               .help = "number of sites that are drawn with replacement and "
                       "flipped together; must be 1 unless the space is binary",
               .spaces = CS_BINARY},
    [GRADIENT_PRECISION] = CS_GRADIENT_PRECISION_ROW,
    [CODING] = CS_CODING_ROW("", NULL),
};

static size_t one_site(const double *values)
{
    (void)values;
    return 1;
}

static size_t flips(const double *values)
{
    return (size_t)values[FLIPS];
}

const cs_kernel_type CS_VARIANT(cs_kernel_locally_balanced) = {
    .name = "locally_balanced",
    .title = "Locally balanced",
    .ref = "Zanella, Informed proposals for local MCMC in discrete spaces, "
           "2020, section 2",
    .help = "Proposes a change of one site, with probabilities that depend on "
            "the change of log p, and accepts or rejects it. The kernel needs "
            "no gradient, but each step evaluates log p for every possible "
            "change of one site.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows_differences),
    .sites_at_once = one_site,
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
    .help = "Proposes a change of one site, or several flips, with "
            "probabilities that depend on the gradient's estimate of the "
            "change of log p. Accepts or rejects the proposal.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows_gradient),
    .sites_at_once = flips,
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .check = check_gradient,
    .init = init_gradient,
    .step = step_gradient,
    .log_q = log_q_gradient,
};
