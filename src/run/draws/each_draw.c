#include "run/draws/each_draw.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/draws/chosen.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <math.h>

double cs_run_quantile(cs_run *r, size_t arm, size_t scalar,
                       const cs_run_sample *sample, double p)
{
    cs_diagnosed_view v;
    cs_weighted_order order;
    double value = (double)NAN;
    const cs_arm *a = arm < r->n_arms ? &r->arm[arm] : NULL;
    if (!a || scalar > a->diagnosed->coordinates || !a->diagnosed->rows ||
        !(p >= 0 && p <= 1) || !cs_diagnosed_look(a, sample, &v))
        return value;
    cs_chosen g = cs_choose(r->target, &v);
    size_t size = g.n * g.draws;
    cs_chosen_weigh(&g);
    double *x = !g.why && size ? cs_alloc(size, sizeof *x) : NULL;
    if (x)
        cs_chosen_copy(&g, scalar, x);
    if (x && !g.w)
        value = cs_quantile(x, size, p);
    if (x && g.w && cs_weighted_sort(x, g.w, size, &order)) {
        value = cs_weighted_quantile_of(&order, p);
        cs_free(order.x);
    }
    CS_FREE_ALL(x, g.w);
    cs_diagnosed_end(&v);
    return value;
}

static cs_status fail_unrecorded(const cs_run *r, const cs_arm *a,
                                 cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "only the first %zu of %zu quantities are recorded",
            a->diagnosed->coordinates, cs_target_shown(r->target));
    cs_hint(err, "give a budget of fewer steps, fewer chains, or fewer "
                 "quantities");
    return CS_UNSUPPORTED;
}

static cs_status fail_weighted(cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED, "the draws have weights");
    cs_hint(err, "write them with run --out; chainscope resample makes equally "
                 "weighted draws of them");
    return CS_UNSUPPORTED;
}

cs_status cs_run_scalar_draws(cs_run *r, size_t arm, size_t scalar,
                              size_t scalars, const cs_run_sample *sample,
                              cs_scalar_draws *out, cs_error *err)
{
    cs_diagnosed_view v;
    const cs_arm *a = &r->arm[arm];
    *out = (cs_scalar_draws){.x = NULL};
    if (a->diagnosed->rows && scalar + scalars > a->diagnosed->coordinates + 1)
        return fail_unrecorded(r, a, err);
    if (!a->diagnosed->rows || !cs_diagnosed_look(a, sample, &v))
        return cs_fail(err, CS_UNSUPPORTED, "the arm has no draws");
    cs_chosen g = cs_choose(r->target, &v);
    cs_chosen_weigh(&g);
    cs_status status = CS_OK;
    if (g.why || !g.draws)
        status = cs_fail(err, CS_UNSUPPORTED, "the arm has no draws");
    else if (g.w)
        status = fail_weighted(err);
    else if (!(out->x = cs_alloc(scalars * g.n * g.draws, sizeof *out->x)))
        status = cs_fail(err, CS_MEMORY, "out of memory for draws");
    if (status == CS_OK) {
        cs_chosen_copy_some(&g, scalar, scalars, out->x);
        out->n = g.draws;
        out->chains = g.n;
    }
    cs_free(g.w);
    cs_diagnosed_end(&v);
    return status;
}

/* A visit of the draws of one chosen chain. */
typedef struct tour {
    const cs_chosen *g;
    cs_draw_visit *visit;
    void *self;
    double *x; /* scratch for a draw */
    size_t i, seen;
} tour;

static bool visit_row(void *self, const double *row)
{
    tour *t = self;
    const cs_diagnosed_view *v = t->g->view;
    double weight = t->g->w ? t->g->w[t->i * t->g->draws + t->seen] : 1;
    t->seen++;
    t->x[0] = row[0];
    for (size_t j = 0; j < v->quantities; j++)
        t->x[1 + j] = cs_diagnosed_number(v, row, v->lead + j);
    return t->visit(t->self, v->chain[t->i].number - 1, weight, t->x);
}

cs_status cs_run_each_draw(cs_run *r, size_t arm, cs_draw_visit *visit,
                           void *self, size_t *quantities, cs_error *err)
{
    cs_diagnosed_view v;
    const cs_arm *a = &r->arm[arm];
    if (!a->diagnosed->rows || !cs_diagnosed_look(a, NULL, &v))
        return cs_fail(err, CS_UNSUPPORTED, "the arm has no draws");
    cs_chosen g = cs_choose(r->target, &v);
    cs_chosen_weigh(&g);
    double *x = cs_alloc(1 + v.quantities, sizeof *x);
    cs_status status = CS_OK;
    if (!x)
        status = cs_fail(err, CS_MEMORY, "out of memory for a draw");
    else if (g.why || !g.draws)
        status = cs_fail(err, CS_UNSUPPORTED, "the arm has no draws");
    *quantities = v.quantities;
    for (size_t i = 0; i < g.n && status == CS_OK; i++) {
        tour t = {.g = &g, .visit = visit, .self = self, .x = x, .i = i};
        if (!cs_chosen_rows(&g, i, visit_row, &t))
            break;
    }
    CS_FREE_ALL(x, g.w);
    cs_diagnosed_end(&v);
    return status;
}
