/* Previews the swaps of a ladder. Chains are independent between two exchanges,
 * and a chain computes the same values in any block. Copies of the chains,
 * advanced to the next exchange, therefore make the same swaps as the
 * ladder. */
#include "run/preview/swaps.h"

#include "base/memory.h"
#include "kernels/tempering/trials.h"
#include "run/arms/run_state.h"
#include "run/history/run_timeline.h"
#include "run/ranks/chain_exchange.h"
#include "run/tuning/learn.h"
#include "run/tuning/tune.h"

/* Copies of the chains of a ladder. */
typedef struct ladder {
    cs_block **copy; /* [n] [own] */
    double *logp, *uniform;
    bool *failed;
    size_t *from;
    cs_chain_ref *lane;
    size_t first, n; /* first chain in the arm; number of chains */
} ladder;

static void close_ladder(ladder *l)
{
    for (size_t i = 0; l->copy && i < l->n; i++)
        cs_block_destroy(l->copy[i]);
    cs_free((void *)l->copy);
    cs_free(l->logp);
    cs_free(l->uniform);
    cs_free(l->failed);
    cs_free(l->from);
    cs_free(l->lane);
}

static bool open_ladder(cs_run *r, const cs_arm *a, size_t first, size_t n,
                        ladder *l)
{
    *l = (ladder){.first = first, .n = n};
    l->copy = (cs_block **)cs_alloc(n, sizeof *l->copy);
    l->logp = cs_alloc(n, sizeof *l->logp);
    l->uniform = cs_alloc(n, sizeof *l->uniform);
    l->failed = cs_alloc(n, sizeof *l->failed);
    l->from = cs_alloc(n, sizeof *l->from);
    l->lane = cs_alloc(n, sizeof *l->lane);
    bool good =
        l->copy && l->logp && l->uniform && l->failed && l->from && l->lane;
    for (size_t i = 0; good && i < n; i++)
        good = (l->copy[i] = cs_run_copy(r, a, first + i)) != NULL;
    return good;
}

/* Advances a copy by `steps` steps and records the last step in `notes`.
 * Returns false if schedules have no values for these steps. */
static bool move_on(cs_arm *a, cs_block *b, size_t steps, cs_step_trace *notes)
{
    if (steps > 1 && cs_arm_fill(a, a->steps + 1, steps - 1) != steps - 1)
        return false;
    if (steps > 1)
        cs_block_run(b, &a->round.driven, steps - 1, NULL);
    if (cs_arm_fill(a, a->steps + steps, 1) != 1)
        return false;
    b->eval.watch = notes ? &notes->watch : NULL;
    cs_block_run(b, &a->round.driven, 1, NULL);
    b->eval.watch = NULL;
    return true;
}

/* Copies the input of an exchange for chain i. */
static void take(const ladder *l, size_t i)
{
    cs_block *b = l->copy[i];
    b->move.streams.step = b->step;
    cs_fill_uniform(&b->move.streams, CS_FOR_SWAP, 1, b->accept_stat);
    l->uniform[i] = b->accept_stat[0];
    l->logp[i] =
        b->logp_kind == CS_LOGP_NONE ? (double)NAN : b->move.info.logp[0];
    l->failed[i] = b->failed[0] != 0;
    l->from[i] = i;
    l->lane[i] = (cs_chain_ref){
        .x = b->move.x, .memory = b->move.memory, .stride = b->lanes};
}

static void swap_between(cs_arm *a, const cs_ladder *of, const ladder *l,
                         size_t steps, cs_step_trace *out)
{
    for (size_t i = 0; i < l->n; i++) {
        if (!move_on(a, l->copy[i], steps, NULL))
            return;
        take(l, i);
    }
    const cs_exchange m = {.target = a->target,
                           .self = a->kernel.self,
                           .values = a->kernel.values,
                           .chains = l->n,
                           .step = a->steps + steps,
                           .logp = l->logp,
                           .uniform = l->uniform,
                           .failed = l->failed,
                           .lane = l->lane,
                           .from = l->from};
    cs_ladder_tell(of, &m, l->n, cs_exchange_period(a), out);
    for (size_t i = 0; i < out->swaps && i < out->swap_capacity; i++) {
        out->swap[i].chain += (double)l->first;
        out->swap[i].other += (double)l->first;
    }
}

/* Returns true if the journal has a change between the present step and this
 * step. In this case the run has gone back and will repeat the change. */
static bool changes_before(const cs_run *r, uint64_t step)
{
    const cs_timeline *t = r->timeline;
    return t->n < t->n_all && t->journal[t->n].step < step;
}

void cs_run_swaps(cs_run *r, size_t arm, size_t chain, cs_step_trace *out,
                  uint64_t *after, bool *within)
{
    cs_arm *a = &r->arm[arm];
    const cs_ladder *of = cs_ladder_find(a->kernel.type->name);
    uint64_t period = cs_exchange_period(a);
    *after = 0;
    if (!period || !of)
        return;
    uint64_t steps = period - a->steps % period;
    *within = of->within;
    *after = a->steps + steps;
    size_t group = *within ? 1 : cs_kernel_group(&a->kernel);
    size_t first = chain / group * group;
    if (steps > CS_SWAPS_FAR / group || steps > cs_tuning_left(a) ||
        steps > cs_learns_left(a) || first + group > a->chains ||
        changes_before(r, *after))
        return;
    ladder l;
    if (open_ladder(r, a, first, group, &l)) {
        if (*within)
            move_on(a, l.copy[0], (size_t)steps, out);
        else
            swap_between(a, of, &l, (size_t)steps, out);
    }
    close_ladder(&l);
}
