#include "run/draws/reference_draws.h"

#include "base/memory.h"
#include "probe/probe.h"
#include "run/arms/arms.h"
#include "run/arms/run_state.h"
#include "target/enumeration.h"

enum { MOST = 2000, NUMBERS = 1000000, TERMS = 1 << 25 };

void cs_reference_draws_free(cs_reference_draws *d)
{
    cs_free(d->x);
    *d = (cs_reference_draws){.n = 0};
}

static bool begin(cs_reference_draws *d, size_t n, size_t dim)
{
    d->x = cs_alloc(n * (dim + 1), sizeof *d->x);
    d->logp = d->x ? d->x + n * dim : NULL;
    d->n = n;
    return d->x != NULL;
}

/* Finds the first probe that has a reference file, and reads the draws in this
 * file. */
static bool take_file(cs_reference_draws *d, const cs_run *r, size_t most)
{
    size_t dim = r->target->space.dim;
    for (size_t i = 0; i < r->n_probes; i++) {
        const cs_probe *p = &r->probe[i];
        size_t n = p->type->reference ? p->type->reference(p, 0, NULL) : 0;
        n = n < most ? n : most;
        if (n && begin(d, n, dim)) {
            d->of_file = true;
            return p->type->reference(p, n, d->x) == n;
        }
    }
    return false;
}

static bool take_exact(cs_reference_draws *d, const cs_target *t, size_t most)
{
    size_t n = most < MOST ? most : MOST;
    return n && t->type->exact.draw && t->n_uniform &&
           begin(d, n, t->space.dim) && cs_enumeration_draws(t, n, d->x);
}

/* Evaluates log p for the first draws, up to the limit on the number of data
 * terms. */
static bool evaluate(cs_reference_draws *d, const cs_target *t)
{
    size_t most = t->data_terms ? TERMS / (size_t)t->data_terms : d->n;
    d->n_logp = most < d->n ? most : d->n;
    return d->n_logp == 0 ||
           cs_enumeration_evaluate(t, d->x, d->n_logp, d->logp);
}

void cs_reference_draws_find(cs_reference_draws *d, const cs_run *r)
{
    const cs_target *t = r->target;
    size_t most = NUMBERS / (t->space.dim + 1);
    if (d->looked && d->generation == t->generation)
        return;
    cs_reference_draws_free(d);
    d->looked = true;
    d->generation = t->generation;
    bool found = !t->outputs.n && !cs_run_learns(r) &&
                 (take_exact(d, t, most) || take_file(d, r, most)) &&
                 evaluate(d, t);
    if (!found) {
        cs_free(d->x);
        d->x = d->logp = NULL;
        d->n = d->n_logp = 0;
    }
}
