/* Laws at the limits: of the counters, of numbers, of dimension. */
#include "base/memory.h"
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

/* Evaluations counted are evaluations made: the start and STEPS steps. */
static bool work(const setting *s, const points *p)
{
    cs_target *t = NULL;
    const cs_target_type *type = counting_type(p->target->type);
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    t->data_terms = 7;
    cs_block *b = open_block(s, t, 3, LANES - 5, p->x);
    cs_work start = counting_calls();
    for (int k = 0; k < STEPS; k++)
        one_step(s, b);
    cs_work made = counting_calls();
    bool good =
        same_work(&made, &b->eval.work) && (same_work(&made, &start) == false);
    int hot = cs_param_find(s->type->params, s->type->n_params, "coding");
    bool gradient = s->type->flags & CS_KERNEL_GRADIENT;
    if (hot >= 0 && s->value[hot] == 1 &&
        p->target->space.kind == CS_CATEGORICAL)
        gradient = false;
    if (gradient)
        good &= made.gradients > start.gradients;
    else
        good &= made.gradients == 0;
    cs_block_destroy(b);
    cs_target_release(t);
    return good;
}

/* ---- refresh ------------------------------------------------------------- */

/* A block whose states were replaced goes on as one that began there. */
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
        memcmp(a->move.info.u, b->move.info.u, a->lanes * sizeof(double)) == 0;
    cs_block_destroy(a);
    cs_block_destroy(b);
    return good;
}

/* ---- numbers ------------------------------------------------------------- */

/* Some steps on an odd target: states stay in the space, U is a number and
 * that of the state, and no chain fails. */
static bool lives_on(const setting *s, const cs_target_type *type, int steps)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    size_t dim = t->space.dim, live = dim > 100 ? 3 : LANES;
    double *x = cs_alloc(dim, sizeof(double));
    for (size_t i = 0; i < dim; i++)
        x[i] = t->space.kind == CS_CONTINUOUS ? 0.25 : t->space.low;
    cs_block *b = open_block(s, t, 6, live, x);
    double *u = cs_alloc(b->lanes, sizeof(double));
    bool good = true;
    for (int k = 0; k < steps && good; k++) {
        one_step(s, b);
        cs_eval_log_density(&b->eval, CS_NEXT, b->move.x, u);
        for (size_t l = 0; l < live; l++)
            good &= cs_space_contains(&t->space, b->move.x + l, b->lanes) &&
                    isfinite(u[l]) && near(b->move.info.u[l], u[l]) &&
                    !b->move.failed[l];
    }
    cs_free(x);
    cs_free(u);
    cs_block_destroy(b);
    cs_target_release(t);
    return good;
}

static bool on_all_odd(const setting *s, unsigned kinds, int steps)
{
    bool good = true;
    for (size_t i = 0; odd_targets[i].type && takes_any_target(s->type); i++)
        if (odd_targets[i].kind & s->type->spaces & kinds)
            good &= lives_on(s, odd_targets[i].type,
                             odd_targets[i].wide ? 2 : steps);
    return good;
}

/* Flat, steep, fenced, narrow and wide targets, of the space of p. */
static bool odd_grounds(const setting *s, const points *p)
{
    return on_all_odd(s, (unsigned)p->target->space.kind, STEPS);
}

/* The smallest and the largest value of each parameter (trajectories of a
 * million gradients apart). */
static bool extremes(const setting *s, const points *p)
{
    bool good = true;
    for (size_t k = 0; k < s->type->n_params; k++) {
        const cs_param *row = &s->type->params[k];
        setting t = *s;
        t.value[k] = row->min;
        good &= on_all_odd(&t, (unsigned)p->target->space.kind, 5);
        t.value[k] = row->kind == CS_PARAM_INT ? fmin(row->max, 50) : row->max;
        good &= on_all_odd(&t, (unsigned)p->target->space.kind, 5);
    }
    return good;
}

/* ---- NaN ----------------------------------------------------------------- */

/* Chains of a target with a hole: some meet it and stand still from then on,
 * outside of it; some may not, and go on. */
static bool stops_at(const setting *s, const points *p,
                     const cs_target_type *type)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(s, t, 8, LANES, p->x);
    size_t size = p->dim * b->lanes, failed = 0;
    double *x = cs_alloc(size, sizeof(double));
    bool good = true;
    for (int k = 0; k < LONG; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        one_step(s, b);
        for (size_t l = 0; l < LANES; l++) {
            bool moved = false;
            for (size_t at = l; at < size; at += b->lanes)
                moved |= b->move.x[at] != x[at];
            good &= !(b->move.failed[l] && moved);
            good &= isfinite(b->move.info.u[l]);
            good &= cs_space_contains(&t->space, b->move.x + l, b->lanes);
        }
    }
    for (size_t l = 0; l < LANES; l++)
        failed += b->move.failed[l];
    cs_free(x);
    cs_block_destroy(b);
    cs_target_release(t);
    return good && failed > 0;
}

static bool nan_density(const setting *s, const points *p)
{
    return stops_at(s, p, hole_like(p->target->space.kind));
}

static bool nan_gradient(const setting *s, const points *p)
{
    return stops_at(s, p, blind_like(p->target->space.kind));
}

/* ---- the list ------------------------------------------------------------ */

/* On one ground of each space, with the defaults. */
static bool once(const setting *s, const points *p)
{
    setting usual;
    return law_setting(s->type, 0, &usual) &&
           memcmp(usual.value, s->value, sizeof s->value) == 0 &&
           p->target->type != &small_masses;
}

static bool once_with_any(const setting *s, const points *p)
{
    return takes_any_target(s->type) && once(s, p);
}

static bool takes_gradients(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_GRADIENT;
}

static bool once_with_gradients(const setting *s, const points *p)
{
    return takes_gradients(s->type) && once(s, p);
}

static bool forgets(const cs_kernel_type *type)
{
    return !wanders(type);
}

static bool that_forgets(const setting *s, const points *p)
{
    (void)p;
    return forgets(s->type);
}

const kernel_law limit_laws[] = {
    {"work", owed_by_all, applies_everywhere, work},
    {"refresh", forgets, that_forgets, refresh},
    {"odd grounds", owed_by_all, once, odd_grounds},
    {"extremes", owed_by_all, once, extremes},
    {"NaN density", takes_any_target, once_with_any, nan_density},
    {"NaN gradient", takes_gradients, once_with_gradients, nan_gradient},
    {NULL, NULL, NULL, NULL}};
