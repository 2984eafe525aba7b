#include "run/derived.h"

#include "base/memory.h"
#include "figure/facts.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

void cs_derived_free(cs_derived *d)
{
    CS_FREE_ALL(d->x, d->w, d->chain);
    *d = (cs_derived){.n = 0};
}

/* ---- values of all draws ---- */

typedef struct pass {
    cs_derived *d;
    cs_draw_value *value; /* NULL: only counts */
    void *self;
    size_t seen, quantities;
    bool uneven, stopped;
} pass;

static bool visit(void *self, size_t chain, double weight, const double *x)
{
    pass *p = self;
    cs_derived *d = p->d;
    bool first = !d->n || d->chain[d->n - 1] != chain;
    if (!p->value) {
        p->uneven |= weight != 1;
        p->seen++;
        return true;
    }
    if (first)
        d->chain[d->n++] = chain;
    if (d->w)
        d->w[p->seen] = weight;
    p->stopped = !p->value(p->self, x, p->quantities, &d->x[p->seen++]);
    return !p->stopped;
}

cs_status cs_derived_make(cs_derived *d, cs_run *r, size_t arm,
                          cs_draw_value *value, void *self, bool *stopped,
                          cs_error *err)
{
    size_t chains = cs_run_arm(r, arm).chains;
    pass p = {.d = d};
    *d = (cs_derived){.chain = cs_alloc(chains + 1, sizeof *d->chain)};
    *stopped = false;
    cs_status status =
        d->chain ? cs_run_each_draw(r, arm, visit, &p, &p.quantities, err)
                 : cs_fail(err, CS_MEMORY, "out of memory for a function");
    if (status == CS_OK) {
        d->x = cs_alloc(p.seen, sizeof *d->x);
        d->w = p.uneven ? cs_alloc(p.seen, sizeof *d->w) : NULL;
        if (!d->x || (p.uneven && !d->w))
            status = cs_fail(err, CS_MEMORY, "out of memory for a function");
    }
    p = (pass){
        .d = d, .value = value, .self = self, .quantities = p.quantities};
    if (status == CS_OK)
        status = cs_run_each_draw(r, arm, visit, &p, &p.quantities, err);
    if (status == CS_OK && d->n)
        d->draws = p.seen / d->n;
    *stopped = p.stopped;
    if (status != CS_OK)
        cs_derived_free(d);
    return status;
}

/* ---- samples ---- */

bool cs_derived_pick(const cs_derived *d, const size_t *chain, size_t n,
                     cs_derived *out)
{
    size_t size = d->draws;
    *out = (cs_derived){
        .x = cs_alloc(n * size, sizeof *out->x),
        .w = d->w ? cs_alloc(n * size, sizeof *out->w) : NULL,
        .chain = cs_alloc(n, sizeof *out->chain),
        .draws = size,
    };
    if (!out->x || !out->chain || (d->w && !out->w)) {
        cs_derived_free(out);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d->n; c++) {
            if (d->chain[c] != chain[i])
                continue;
            memcpy(out->x + out->n * size, d->x + c * size,
                   size * sizeof *out->x);
            if (d->w)
                memcpy(out->w + out->n * size, d->w + c * size,
                       size * sizeof *out->w);
            out->chain[out->n++] = chain[i];
        }
    return true;
}

/* ---- figures ---- */

cs_figures cs_derived_figures(const cs_derived *d)
{
    cs_draws draws = {d->x, d->draws, d->n};
    if (d->w)
        return cs_diagnose_weighted(draws, d->w, &cs_usual_quantiles).figures;
    return cs_diagnose(draws).figures;
}

void cs_derived_moments(const cs_derived *d, double *mean, double *sd)
{
    size_t n = d->n * d->draws;
    *mean = cs_mean(d->x, n);
    *sd = sqrt(cs_variance(d->x, n));
    if (d->w) {
        cs_figures f = cs_derived_figures(d);
        *mean = f.mean;
        *sd = f.sd;
    }
}

double cs_derived_quantile(const cs_derived *d, double p)
{
    cs_weighted_order order;
    size_t n = d->n * d->draws;
    double value = (double)NAN;
    if (!d->w)
        return n ? cs_quantile(d->x, n, p) : value;
    if (cs_weighted_sort(d->x, d->w, n, &order)) {
        value = cs_weighted_quantile_of(&order, p);
        cs_free(order.x);
    }
    return value;
}

/* ---- the scalars of an arm ---- */

static bool take_coordinate(void *self, const double *x, size_t quantities,
                            double *value)
{
    const size_t *k = self;
    *value = *k <= quantities ? x[*k] : (double)NAN;
    return *k <= quantities;
}

static cs_scalars *add(cs_scalars **list, size_t k)
{
    cs_scalars *s = cs_alloc(1, sizeof *s);
    if (s) {
        s->next = *list;
        s->k = k;
        *list = s;
    }
    return s;
}

static const cs_scalars *find(const cs_scalars *s, size_t k)
{
    while (s && s->k != k)
        s = s->next;
    return s;
}

const cs_derived *cs_scalars_find(cs_scalars **list, cs_run *r, size_t arm,
                                  size_t k)
{
    const cs_scalars *known = find(*list, k);
    if (known || k >= CS_FACTS_DERIVED)
        return known && known->d.x ? &known->d : NULL;
    bool stopped;
    cs_scalars *s = add(list, k);
    if (s &&
        cs_derived_make(&s->d, r, arm, take_coordinate, &k, &stopped, NULL) ==
            CS_OK &&
        stopped)
        cs_derived_free(&s->d);
    return s && s->d.x ? &s->d : NULL;
}

size_t cs_scalars_add(cs_scalars **list, cs_run *r, size_t arm,
                      cs_draw_value *value, void *self, bool *stopped,
                      cs_error *err)
{
    size_t k = CS_FACTS_DERIVED;
    while (find(*list, k))
        k++;
    cs_scalars *s = add(list, k);
    if (!s) {
        cs_fail(err, CS_MEMORY, "out of memory for a function");
        return 0;
    }
    cs_status status =
        cs_derived_make(&s->d, r, arm, value, self, stopped, err);
    return status == CS_OK && !*stopped ? k : 0;
}

void cs_scalars_free(cs_scalars *list)
{
    for (cs_scalars *next; list; list = next) {
        next = list->next;
        cs_derived_free(&list->d);
        cs_free(list);
    }
}
