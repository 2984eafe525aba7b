/* States at which the laws are tested: states that chains may have. */
#include "base/memory.h"
#include "check/laws.h"
#include "run/arms/arms.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, TRIES = 20 };

typedef struct search {
    cs_check *c;
    cs_target *t;
    size_t dim;
    double *uniform, *x; /* [dim] each; stored in the memory after c->place */
    cs_check_rng rng;
} search;

static bool is_full(const search *s)
{
    return s->c->places == LANES;
}

static bool is_known(const search *s, const double *x)
{
    for (size_t k = 0; k < s->c->places; k++)
        if (!memcmp(s->c->place + k * s->dim, x, s->dim * sizeof *x))
            return true;
    return false;
}

static void keep(search *s, const double *x)
{
    if (!is_full(s) && !is_known(s, x))
        memcpy(s->c->place + s->c->places++ * s->dim, x, s->dim * sizeof *x);
}

/* Evaluates the known factors of log p at x, for a target that lacks a factor.
 * Returns false if memory is exhausted. */
static bool evaluate_prior(const cs_target *t, const double *x, double *logp)
{
    size_t dim = t->space.dim, cache = cs_eval_cache_words(t);
    double *at = cs_alloc((dim + 1 + cache + cs_eval_scratch_words(t)) * CS_PAD,
                          sizeof *at);
    if (!at)
        return false;
    double *logps = at + dim * CS_PAD, *own = logps + CS_PAD;
    cs_eval e;
    cs_eval_open(&e, t, CS_PAD, 1, own, own + cache * CS_PAD);
    for (size_t i = 0; i < dim * CS_PAD; i++)
        at[i] = x[i / CS_PAD];
    cs_eval_prior(&e, at, logps, NULL);
    *logp = logps[0];
    cs_free(at);
    return true;
}

static void take(search *s, const double *x)
{
    double logp;
    bool lacks = s->t->flags & CS_TARGET_UNNORMALISED;
    if (cs_space_contains(&s->t->space, x, 1) &&
        (lacks ? evaluate_prior(s->t, x, &logp)
               : cs_enumeration_evaluate(s->t, x, 1, &logp)) &&
        logp > -HUGE_VAL)
        keep(s, x);
}

/* Adds the states of the run's chains to c->place. Before the first step these
 * states are the scenario's starting states. */
static void take_chains(search *s, cs_run *run)
{
    for (size_t a = 0; a < cs_run_arms(run); a++) {
        size_t chains = cs_run_arm(run, a).chains;
        bool known = cs_run_arm(run, a).logp == CS_LOGP_EXACT;
        for (size_t k = 0; k < chains && !is_full(s); k++) {
            cs_chain_view v = cs_run_chain(run, a, k);
            if (v.failed)
                continue;
            if (known && isfinite(v.last.logp))
                keep(s, v.x);
            if (!known)
                take(s, v.x);
        }
    }
}

static void take_starts(search *s)
{
    for (int k = 0; k < LANES * TRIES && !is_full(s); k++) {
        for (size_t i = 0; i < s->dim; i++)
            s->uniform[i] = cs_check_uniform(&s->rng);
        cs_target_start(s->t, s->uniform, s->x);
        take(s, s->x);
    }
}

/* Adds neighbours of the states found so far to c->place. In a neighbour each
 * real coordinate x_i differs by up to 0.1 (1 + |x_i|), or one site has another
 * value. */
static void take_neighbours(search *s)
{
    const cs_space *space = &s->t->space;
    for (size_t k = 0; s->c->places && k < LANES * TRIES && !is_full(s); k++) {
        memcpy(s->x, s->c->place + k % s->c->places * s->dim,
               s->dim * sizeof *s->x);
        for (size_t i = 0; i < s->dim; i++)
            if (!cs_space_is_whole(space, i))
                s->x[i] += (0.2 * cs_check_uniform(&s->rng) - 0.1) *
                           (1 + fabs(s->x[i]));
        size_t i = (size_t)(cs_check_uniform(&s->rng) * (double)s->dim);
        cs_part part = cs_space_part(space, i);
        if (part.kind != CS_CONTINUOUS)
            s->x[i] = part.low + floor(cs_check_uniform(&s->rng) * part.values);
        take(s, s->x);
    }
}

cs_status cs_check_find_starts(cs_check *c, cs_run *run, cs_error *err)
{
    cs_target *t = cs_run_target(run);
    size_t dim = t->space.dim;
    search s = {.c = c, .t = t, .dim = dim, .rng = {cs_run_seed(run), 0}};
    c->places = 0;
    c->place = cs_alloc((LANES + 2) * dim, sizeof *c->place);
    if (!c->place)
        return cs_fail(err, CS_MEMORY, "out of memory for start states");
    s.uniform = c->place + LANES * dim;
    s.x = s.uniform + dim;
    take_chains(&s, run);
    take_starts(&s);
    take_neighbours(&s);
    return CS_OK;
}
