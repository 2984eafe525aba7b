/* Laws for counters, and laws for extreme numbers and dimensions. */
#include "base/memory.h"
#include "chain/tally.h"
#include "kernel/wrapper.h"
#include "support/laws.h"
#include "support/odd.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS, STEPS = 40, LONG = 300 };

static bool near(double got, double want)
{
    return got == want || fabs(got - want) <= 1e-9 * (1 + fabs(want));
}

/* ---- work ---------------------------------------------------------------- */

static bool same_work(const cs_work *a, const cs_work *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Returns true if steps on batches of rows use no full gradient, and if all
 * steps use the same number of data terms. */
static bool counts_rows(const cs_work *start, const cs_work *made)
{
    return made->gradients == start->gradients &&
           (made->data_terms - start->data_terms) % STEPS == 0 &&
           made->data_terms > start->data_terms;
}

/* Returns true if the counted work equals the number of evaluations that the
 * start and STEPS steps make. If the start only checks the initial state, the
 * evaluation at the start is not work of the kernel. */
static bool work(const setting *s, const points *p)
{
    cs_target *t = NULL;
    const cs_target_type *type = counting_type(p->target->type);
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    t->data_terms = 7;
    assert_int_equal(cs_kernel_prepare(&s->kernel, t, NULL), CS_OK);
    counting_type(p->target->type); /* resets the counts */
    cs_block *b = open_block(s, t, 3, LANES - 5, p->x);
    cs_work start = counting_calls();
    for (int k = 0; k < STEPS; k++)
        one_step(s, b);
    cs_work made = counting_calls();
    bool batches = b->logp_kind == CS_LOGP_ESTIMATE, good = true;
    if (batches)
        good = counts_rows(&start, &made);
    if (b->logp_kind != CS_LOGP_EXACT) {
        made.log_densities -= LANES - 5;
        made.data_terms -= (LANES - 5) * t->data_terms;
    }
    good &=
        same_work(&made, &b->eval.work) && (same_work(&made, &start) == false);
    int hot = cs_param_find(s->kernel.type->params, s->kernel.type->n_params,
                            "coding");
    bool gradient = s->kernel.type->flags & CS_KERNEL_GRADIENT;
    if (hot >= 0 && s->kernel.values[hot] == 1 &&
        p->target->space.kind == CS_CATEGORICAL)
        gradient = false;
    if (gradient && !batches)
        good &= made.gradients > start.gradients;
    else if (!batches)
        good &= made.gradients == 0;
    cs_block_destroy(b);
    cs_target_release(t);
    return good;
}

/* ---- refresh ------------------------------------------------------------- */

/* Returns true if a block whose states were replaced continues like a block
 * that was started at the new states. */
static bool refresh(const setting *s, const points *p)
{
    double other[SMALL_DIM];
    uint64_t seed = 5;
    points_draw(p, &seed, other);
    cs_block *a = open_block(s, p->target, 4, LANES, p->x);
    cs_block *b = open_block(s, p->target, 4, LANES, other);
    for (int k = 0; k < STEPS; k++)
        one_step(s, a);
    for (size_t i = 0; i < p->dim; i++)
        for (size_t l = 0; l < LANES; l++)
            a->move.x[i * a->lanes + l] = other[i];
    b->step = a->step;
    cs_block_refresh(a);
    cs_block_refresh(b);
    for (int k = 0; k < STEPS; k++) {
        one_step(s, a);
        one_step(s, b);
    }
    bool good =
        memcmp(a->move.x, b->move.x, p->dim * a->lanes * sizeof(double)) == 0 &&
        memcmp(a->move.info.logp, b->move.info.logp,
               a->lanes * sizeof(double)) == 0;
    cs_block_destroy(a);
    cs_block_destroy(b);
    return good;
}

/* ---- numbers ------------------------------------------------------------- */

/* Returns true for a biased kernel, and for a kernel without an accept step. On
 * a steep target the chains of such a kernel diverge, and must stop with a
 * message. */
static bool thrown_out(const cs_kernel_type *type)
{
    return type->spaces == CS_CONTINUOUS &&
           !(type->flags & (CS_KERNEL_ACCEPTS | CS_KERNEL_EXACT));
}

static bool stops_in_words(const setting *s, const cs_block *b, size_t l)
{
    return thrown_out(s->kernel.type) && b->failed[l] != 0 &&
           b->fault[l] == CS_FAULT_KERNEL && cs_block_reason(b, l).code != 0;
}

/* Returns true if the kernel refuses a target that is too wide for it. */
static bool refuses_width(const setting *s, cs_target *t)
{
    return t->space.dim > 100 && cs_kernel_fits(&s->kernel, t, NULL) != CS_OK;
}

/* Returns true if a chain survives some steps on an unusual target. Its states
 * must stay in the space, log p must be finite and equal to log p of the state,
 * and no chain may fail. A kernel may refuse a wide target. */
static bool lives_on(const setting *s, const cs_target_type *type, int steps)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    if (refuses_width(s, t)) {
        cs_target_release(t);
        return true;
    }
    size_t dim = t->space.dim, live = dim > 100 ? 3 : LANES;
    double *x = cs_alloc(dim, sizeof(double));
    for (size_t i = 0; i < dim; i++)
        x[i] = cs_space_is_real(&t->space) ? 0.25 : t->space.low;
    cs_block *b = open_block(s, t, 6, live, x);
    double *logp = cs_alloc(b->lanes, sizeof(double));
    bool good = true;
    for (int k = 0; k < steps && good; k++) {
        one_step(s, b);
        cs_eval_log_density(&b->eval, CS_NEXT, b->move.x, logp);
        for (size_t l = 0; l < live; l++)
            good &= cs_space_contains(&t->space, b->move.x + l, b->lanes) &&
                    isfinite(logp[l]) && near(b->move.info.logp[l], logp[l]) &&
                    (!b->move.failed[l] || stops_in_words(s, b, l));
    }
    cs_free(x);
    cs_free(logp);
    cs_block_destroy(b);
    cs_target_release(t);
    return good;
}

/* Returns true if the chains survive on all unusual targets of these kinds.
 * `wide` is the number of steps on wide targets; if it is 0, wide targets are
 * omitted. */
static bool on_all_odd(const setting *s, unsigned kinds, int steps, int wide)
{
    bool good = true;
    for (size_t i = 0; odd_targets[i].type && takes_any_target(s->kernel.type);
         i++)
        if (odd_targets[i].kind & s->kernel.type->spaces & kinds &&
            (wide || !odd_targets[i].wide))
            good &= lives_on(s, odd_targets[i].type,
                             odd_targets[i].wide ? wide : steps);
    return good;
}

/* Tries all unusual targets that have the space of p: flat, steep, fenced,
 * narrow and wide targets. */
static bool odd_grounds(const setting *s, const points *p)
{
    return on_all_odd(s, (unsigned)p->target->space.kind, STEPS, 2);
}

/* Returns true for a fixed parameter of the kernel inside a wrapper. Such a
 * parameter cannot be varied. */
static bool is_of_inner(const setting *s, size_t k)
{
    const cs_wrapper *a = s->kernel.type->wraps ? s->kernel.self : NULL;
    return a && k >= a->n_params &&
           s->kernel.type->params[k].flags & CS_PARAM_FIXED;
}

/* Tries the smallest and largest value of each parameter. Integers are limited
 * to 50, to avoid trajectories of a million gradients. */
static bool extremes(const setting *s, const points *p)
{
    bool good = true;
    for (size_t k = 0; k < s->kernel.type->n_params; k++) {
        const cs_param *row = &s->kernel.type->params[k];
        setting t = *s;
        if (is_of_inner(s, k))
            continue;
        t.kernel.values[k] = row->min;
        good &= on_all_odd(&t, (unsigned)p->target->space.kind, 5, 0);
        t.kernel.values[k] =
            row->kind == CS_PARAM_INT ? fmin(row->max, 50) : row->max;
        good &= on_all_odd(&t, (unsigned)p->target->space.kind, 5, 0);
    }
    return good;
}

/* ---- NaN ----------------------------------------------------------------- */

/* Returns false for a kernel that weighs all moves from a state. Such a kernel
 * never proposes a state in a hole, that is, in a region where log p is NaN. */
static bool proposes(const cs_kernel_type *type)
{
    return strcmp(type->name, "locally_balanced") != 0;
}

/* Returns false for a kernel that weighs the moves between all states of a
 * ball. Such a kernel rejects if a part of the hole is in the ball. */
static bool knows_the_ways(const cs_kernel_type *type)
{
    return strcmp(type->name, "hamming_ball") != 0;
}

/* Creates a block of chains on a target of the given type. */
static cs_block *open_on(const setting *s, const points *p,
                         const cs_target_type *type, bool strict)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(s, t, 8, LANES, p->x);
    b->move.strict = strict;
    cs_target_release(t);
    return b;
}

static bool same_states(const cs_block *a, const cs_block *b)
{
    return memcmp(a->move.x, b->move.x,
                  a->move.dim * a->lanes * sizeof(double)) == 0;
}

/* Returns true if all states are outside the hole, that is, if log p and its
 * gradient are finite there. */
static bool are_outside(cs_block *b)
{
    size_t n = b->lanes;
    double *logp = cs_alloc((1 + b->move.dim) * n, sizeof *logp);
    bool good = true;
    cs_eval_gradient(&b->eval, CS_NEXT, b->move.x, logp, logp + n);
    for (size_t l = 0; l < LANES; l++)
        good &= isfinite(logp[l]);
    cs_free(logp);
    return good;
}

/* Returns true if chains behave correctly on a target with a hole. They must
 * propose states in the hole and count these proposals, but neither enter the
 * hole nor stop. On the target `wall`, which has probability 0 in the hole, the
 * chains must make the same moves. */
static bool refuses_at(const setting *s, const points *p,
                       const cs_target_type *type, const cs_target_type *wall)
{
    cs_block *b = open_on(s, p, type, false);
    cs_block *c = open_on(s, p, wall ? wall : type, false);
    const cs_space *space = &b->target->space;
    bool good = true;
    double met = 0;
    for (int k = 0; k < LONG; k++) {
        one_step(s, b);
        one_step(s, c);
        good &= same_states(b, c) && are_outside(b);
        for (size_t l = 0; l < LANES; l++) {
            good &= isfinite(b->move.info.logp[l]) && !b->move.failed[l];
            good &= cs_space_contains(space, b->move.x + l, b->lanes);
        }
    }
    for (size_t l = 0; l < LANES; l++)
        met += b->tally[CS_TALLY_NOT_FINITE * b->lanes + l];
    cs_block_destroy(b);
    cs_block_destroy(c);
    return good && (met > 0 || !proposes(s->kernel.type));
}

/* Returns true if chains behave correctly on a target with a hole, with
 * `strict`. Every chain that proposes a state in the hole must stop at its last
 * state outside the hole. All other chains must continue. */
static bool stops_at(const setting *s, const points *p,
                     const cs_target_type *type)
{
    cs_block *b = open_on(s, p, type, true), *c = open_on(s, p, type, false);
    size_t size = p->dim * b->lanes;
    double *x = cs_alloc(size, sizeof(double));
    bool good = true;
    for (int k = 0; k < LONG; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        one_step(s, b);
        one_step(s, c);
        for (size_t at = 0; at < size; at++) {
            size_t l = at % b->lanes;
            good &= b->failed[l] == 0 || b->failed[l] == k + 1 ||
                    b->move.x[at] == x[at];
            good &= l >= LANES || isfinite(b->move.info.logp[l]);
        }
    }
    for (size_t l = 0; l < LANES; l++)
        good &= (b->failed[l] != 0) ==
                (c->tally[CS_TALLY_NOT_FINITE * c->lanes + l] > 0);
    cs_free(x);
    cs_block_destroy(b);
    cs_block_destroy(c);
    return good;
}

/* Returns true if a chain that proposes a state with log p = HUGE_VAL stops
 * before it moves to that state, with and without `strict`. */
static bool ends_at(const setting *s, const points *p,
                    const cs_target_type *type)
{
    cs_block *b = open_on(s, p, type, false);
    size_t ended = 0;
    bool good = true;
    for (int k = 0; k < LONG; k++)
        one_step(s, b);
    for (size_t l = 0; l < LANES; l++) {
        good &= isfinite(b->move.info.logp[l]);
        ended += b->failed[l] != 0 && (b->fault[l] == CS_FAULT_INFINITE ||
                                       b->fault[l] == CS_FAULT_STATE);
    }
    cs_block_destroy(b);
    return good && ended > 0;
}

static bool nan_density(const setting *s, const points *p)
{
    cs_space_kind kind = p->target->space.kind;
    return refuses_at(s, p, hole_like(kind),
                      knows_the_ways(s->kernel.type) ? wall_like(kind)
                                                     : NULL) &&
           stops_at(s, p, hole_like(kind)) && ends_at(s, p, peak_like(kind));
}

static bool nan_gradient(const setting *s, const points *p)
{
    cs_space_kind kind = p->target->space.kind;
    return refuses_at(s, p, blind_like(kind), NULL) &&
           stops_at(s, p, blind_like(kind));
}

/* ---- the list ------------------------------------------------------------ */

/* Returns false for kernels without an accept step. They stop where other
 * kernels reject, and are tested in test_fault_laws.c. */
static bool refuses_nan(const cs_kernel_type *type)
{
    return takes_any_target(type) && !thrown_out(type);
}

/* Selects one target for each space, and the default parameters. */
static bool once(const setting *s, const points *p)
{
    return law_has_defaults(s) && p->target->type != &small_masses;
}

static bool once_with_any(const setting *s, const points *p)
{
    return refuses_nan(s->kernel.type) && once(s, p);
}

static bool takes_gradients(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_GRADIENT && !thrown_out(type);
}

static bool once_with_gradients(const setting *s, const points *p)
{
    return takes_gradients(s->kernel.type) && once(s, p);
}

static bool forgets(const cs_kernel_type *type)
{
    return !wanders(type);
}

/* Returns false for settings with control variates. The reference point of the
 * control variates is the initial state, which the kernel keeps. */
static bool that_forgets(const setting *s, const points *p)
{
    const cs_kernel_type *type = s->kernel.type;
    int fixed = cs_param_find(type->params, type->n_params, "control_variates");
    (void)p;
    return forgets(type) && !(fixed >= 0 && s->kernel.values[fixed] != 0);
}

const kernel_law limit_laws[] = {
    {"work", owed_by_all, NULL, work},
    {"refresh", forgets, that_forgets, refresh},
    {"odd grounds", owed_by_all, once, odd_grounds},
    {"extremes", owed_by_all, once, extremes},
    {"NaN density", refuses_nan, once_with_any, nan_density},
    {"NaN gradient", takes_gradients, once_with_gradients, nan_gradient},
    {NULL, NULL, NULL, NULL}};
