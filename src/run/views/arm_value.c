/* Returns values of the parameters of an arm's kernel at a step. */
#include "run/tuning/tuning_view.h"
#include "run/views/view.h"

uint64_t cs_arm_view_from(const cs_arm_view *arm, size_t k)
{
    const cs_tuning_view *g = &arm->tuning;
    bool tuned = g->tuner && !g->active && cs_tuner_drives(g->tuner, k);
    return tuned && arm->plan->driven[k] ? arm->warmup_steps : 0;
}

double cs_arm_view_value(const cs_arm_view *arm, size_t k, uint64_t step)
{
    const cs_tuning_view *g = &arm->tuning;
    for (size_t d = 0; g->active && d < g->tuner->n_driven; d++)
        if (g->tuner->param[d] == k)
            return g->trial[g->n_trials - 1].value[d];
    if (!arm->plan->driven[k])
        return arm->kernel->values[k];
    /* for a step before the first step of the plan, returns the value at the
     * plan's first step */
    uint64_t from = cs_arm_view_from(arm, k);
    return cs_plan_value(cs_plan_schedule(arm->plan, k),
                         &arm->kernel->type->params[k],
                         step > from ? step - from : 1);
}
