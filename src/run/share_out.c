#include "run/share_out.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/arms/share.h"
#include "run/ranks/chain_exchange.h"
#include "run/ranks/rank_words.h"
#include "run/tuning/tune.h"

static const char *reason_of_arm(const cs_run *r, const cs_arm *a)
{
    const cs_budget *b = &r->budget;
    if (a->learns)
        return "learn one target";
    if (cs_exchange_period(a))
        return "exchange states or weights";
    if (cs_kernel_group(&a->kernel) > 1 ||
        a->kernel.type->flags & CS_KERNEL_ENSEMBLE)
        return "move together";
    if (a->tuning && cs_tuner_finds(&a->tuning->tuner))
        return "are tuned together";
    if (b->gradients || b->log_densities || b->data_terms)
        return "share a budget of work";
    return NULL;
}

static cs_status refuse_seconds(cs_error *err)
{
    cs_fail(err, CS_INPUT,
            "the budget is in seconds, so parts would end at different steps");
    cs_hint(err, "give the budget in steps: --steps N");
    return CS_INPUT;
}

cs_status cs_share_out(cs_run *r, const cs_run_spec *spec, cs_error *err)
{
    bool learns =
        r->target->n_learned && !(r->target->flags & CS_TARGET_LEARNS);
    const char *why =
        learns ? "its target learns from all its chains" : spec->together;
    r->share = spec->share;
    if (why && !(r->together = cs_copy_text(why)))
        return cs_fail(err, CS_MEMORY, "out of memory for the run");
    if (!cs_share_is_all(r->share) && !why && r->budget.seconds > 0)
        return refuse_seconds(err);
    if (r->ranks)
        return cs_ranks_share_out(r, err);
    for (size_t i = 0; i < r->n_arms; i++)
        r->arm[i].share.together = reason_of_arm(r, &r->arm[i]);
    for (size_t i = 0; i < r->n_arms; i++) {
        r->arm[i].share.own = cs_share_of(r, r->share, i);
        r->arm[i].finished = r->arm[i].share.own.end == 0;
    }
    return CS_OK;
}
