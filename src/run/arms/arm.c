#include "run/arms/arm.h"
#include "run/arms/run_state.h"

cs_block_work cs_arm_work_here(const cs_arm *a)
{
    cs_block_work sum = {0};
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b])) {
            sum.own = cs_work_add(sum.own, a->block[b]->eval.work);
            sum.observed =
                cs_work_add(sum.observed, a->block[b]->observer.work);
        }
    return sum;
}

cs_work cs_arm_work(const cs_arm *a)
{
    return cs_work_add(cs_work_add(a->loaded.work, a->elsewhere.work.own),
                       cs_arm_work_here(a).own);
}

double cs_arm_seconds(const cs_arm *a)
{
    double seconds = 0;
    for (size_t b = 0; b < a->n_blocks; b++)
        seconds += a->item[b].seconds;
    return seconds;
}

cs_work cs_arm_observed(const cs_arm *a)
{
    return cs_work_add(
        cs_work_add(a->loaded.observed, a->elsewhere.work.observed),
        cs_arm_work_here(a).observed);
}

void cs_arm_part_plan(cs_arm *a)
{
    cs_plan_let_go(a->held);
    a->held = NULL;
}

void cs_arm_set_metric(cs_arm *a, cs_metric *metric)
{
    cs_metric *was = a->metric;
    a->metric = cs_metric_hold(metric);
    for (size_t b = 0; b < a->n_blocks; b++)
        cs_block_set_metric(a->block[b], metric);
    cs_metric_let_go(was);
}

/* Fails if the arm has fewer chains than its kernel needs to reach every part
 * of the target. */
static cs_status check_least(const cs_run *r, const cs_arm *a,
                             const cs_kernel *k, cs_error *err)
{
    size_t least = cs_kernel_least(k, r->target);
    if (a->chains >= least)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "kernel %s needs %zu chains to reach every state of target %s; arm "
            "%s has %zu",
            k->type->name, least, r->target->name, a->name, a->chains);
    cs_hint(err, "give the arm at least %zu chains", 2 * least);
    return CS_INPUT;
}

cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err)
{
    size_t group = cs_kernel_group(k);
    if (a->chains % group == 0) {
        cs_status s = cs_kernel_fits(k, r->target, err);
        return s ? s : check_least(r, a, k, err);
    }
    cs_fail(err, CS_INPUT,
            "kernel %s moves %zu chains together; arm %s has %zu",
            k->type->name, group, a->name, a->chains);
    cs_hint(err, "give the arm a multiple of %zu chains", group);
    return CS_INPUT;
}

/* Makes each block evaluate its states again, if the target has changed since
 * these states were last evaluated. */
void cs_run_follow_target(cs_run *r)
{
    for (size_t i = 0; i < r->n_items; i++)
        cs_block_follow_target(r->item[i].block);
}

void cs_run_learned(cs_run *r)
{
    r->target->generation++;
    for (size_t i = 0; i < r->n_items; i++)
        if (r->item[i].block->target == r->target)
            r->item[i].block->generation = r->target->generation;
}
