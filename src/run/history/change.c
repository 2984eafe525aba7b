/* Changes of a run between steps, and the journal from which they can be
 * repeated. */
#include "run/history/change.h"
#include "base/memory.h"
#include "base/renamed.h"
#include "base/text.h"
#include "kernel/member_metrics.h"
#include "kernel/wrapper.h"
#include "run/arms/run_state.h"
#include "run/history/changes.h"
#include "run/history/run_timeline.h"
#include "run/ranks/chain_exchange.h"
#include "run/tuning/tune.h"

#include <stdio.h>
#include <string.h>

/* ---- changes ---- */

static void set_value(cs_arm *a, size_t param, double value)
{
    a->kernel.values[param] = value;
    if (a->plan.driven[param])
        cs_arm_part_plan(a);
    a->plan.driven[param] = false;
    for (size_t b = 0; b < a->n_blocks; b++)
        cs_block_set_values(a->block[b]);
}

cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err)
{
    for (size_t b = 0; b < a->n_blocks; b++) {
        cs_status s = cs_block_reserve(a->block[b], k, err);
        if (s != CS_OK)
            return s;
    }
    return cs_exchange_reserve(a, a->block[0]->target, k, err);
}

/* Replaces the kernel of an arm. Cannot fail after cs_arm_reserve. */
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan)
{
    a->kernel = *k;
    if (!cs_metric_serves(a->metric, k, a->target->space.dim))
        cs_arm_set_metric(a, NULL);
    for (size_t b = 0; b < a->n_blocks; b++)
        (void)cs_block_set_kernel(a->block[b], &a->kernel, NULL);
    cs_arm_part_plan(a);
    a->plan = *plan;
    a->round.max_step_cost = 0;
}

void cs_arm_go_on(cs_arm *a, const cs_kernel *k, cs_held_plan *plan)
{
    cs_arm_set_kernel(a, k, plan->plan);
    a->held = cs_plan_hold(plan);
}

static cs_status change_kernel(cs_arm *a, const cs_redo *how, cs_error *err)
{
    cs_status s = cs_arm_reserve(a, &how->kernel, err);
    if (s != CS_OK)
        return s;
    cs_tuning_change(a, a->kernel.type->n_params);
    cs_arm_go_on(a, &how->kernel, how->plan);
    return CS_OK;
}

cs_status cs_change_arm(cs_arm *a, const cs_change *c, const cs_redo *how,
                        cs_error *err)
{
    bool start =
        how->kind == CHANGED_VALUE && cs_tuning_start(a, how->param, c->value);
    if (!start && (how->kind == CHANGED_VALUE || how->kind == CHANGED_SCHEDULE))
        cs_tuning_change(a, how->param);
    if (how->kind == CHANGED_VALUE) {
        set_value(a, how->param, c->value);
    } else if (how->kind == CHANGED_SCHEDULE) {
        cs_arm_part_plan(a);
        if (!cs_plan_drive(&a->plan, how->param, &how->schedule))
            return cs_plan_is_full(err);
    } else if (how->kind == CHANGED_KERNEL) {
        return change_kernel(a, how, err);
    } else if (how->kind == CHANGED_METRIC) {
        cs_tuning_change(a, a->kernel.type->n_params);
        cs_arm_set_metric(a, how->metric);
    } else if (how->kind == CHANGED_STATE) {
        return cs_block_place(cs_arm_block(a, how->chain),
                              cs_arm_lane(a, how->chain), how->x, err);
    }
    return CS_OK;
}

cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err)
{
    const cs_change *c = &r->timeline->journal[i];
    const cs_redo *how = &r->timeline->redo[i];
    if (how->kind == CHANGED_RUN)
        return CS_OK;
    cs_arm *a = &r->arm[c->arm];
    cs_status s = cs_change_arm(a, c, how, err);
    a->finished =
        /* computed again, since a new state may have revived a failed chain */
        cs_arm_is_finished(r, a);
    return s;
}

/* ---- the journal ---- */

void cs_redo_clear(cs_redo *how)
{
    cs_plan_let_go(how->plan);
    cs_metric_let_go(how->metric);
    cs_free(how->x);
}

/* Records a change in the journal and applies it. Takes ownership of the
 * objects that `how` owns: if this fails, they are freed; otherwise they belong
 * to the journal. */
static cs_status change(cs_run *r, size_t arm, const char *what, double value,
                        cs_redo how, cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_status s = cs_change_room(t, t->n + 1, err);
    if (s != CS_OK) {
        cs_redo_clear(&how);
        return s;
    }
    cs_future_part(r);
    size_t i = t->n++;
    t->n_all = t->n;
    cs_change *c = &t->journal[i];
    *c = (cs_change){.step = r->steps, .arm = arm, .value = value};
    snprintf(c->what, sizeof c->what, "%s", what);
    t->redo[i] = how;
    s = cs_change_replay(r, i, err);
    if (s != CS_OK)
        cs_change_forget(t, i);
    return s;
}

cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err)
{
    cs_timeline *t = r->timeline;
    cs_status s = cs_change_room(t, t->n_all + 1, err);
    if (s != CS_OK)
        return s;
    cs_future_part(r);
    cs_change *c = &t->journal[t->n];
    *c = (cs_change){.step = r->steps, .arm = CS_NO_ARM, .value = value};
    snprintf(c->what, sizeof c->what, "%s", what);
    t->redo[t->n++] = (cs_redo){.kind = CHANGED_RUN};
    t->n_all = t->n;
    return CS_OK;
}

/* ---- the evaluators ---- */

cs_status cs_arm_find(const cs_run *r, size_t arm, const char *param,
                      size_t *at, cs_error *err)
{
    if (arm >= r->n_arms)
        return cs_fail(err, CS_RANGE, "there is no arm %zu", arm + 1);
    const cs_kernel_type *type = r->arm[arm].kernel.type;
    int i = cs_param_find(type->params, type->n_params + type->n_lists, param);
    if (i < 0) {
        const char *names[CS_KERNEL_PARAMS + 1] = {NULL};
        for (size_t k = 0; k < type->n_params; k++)
            names[k] = type->params[k].name;
        if (cs_fail_renamed(err, type->name, type->name, param))
            return CS_UNKNOWN;
        cs_fail(err, CS_UNKNOWN, "kernel %s has no parameter '%s'", type->name,
                param);
        const char *near = cs_text_nearest(param, names);
        if (near)
            cs_hint(err, "did you mean '%s'?", near);
        return CS_UNKNOWN;
    }
    if (type->params[i].flags & CS_PARAM_FIXED) {
        cs_fail(err, CS_UNSUPPORTED,
                "%s of kernel %s is fixed when the kernel is created", param,
                type->name);
        cs_hint(err, "give the arm another kernel: arm:use(cs.kernel...)");
        return CS_UNSUPPORTED;
    }
    *at = (size_t)i;
    return CS_OK;
}

/* Checks that the arm's kernel allows this value of parameter i. */
static cs_status allows(cs_run *r, size_t arm, size_t i, double value,
                        cs_error *err)
{
    cs_kernel trial = r->arm[arm].kernel;
    trial.values[i] = value;
    cs_status s = cs_kernel_agrees(&trial, err);
    if (s == CS_OK)
        s = cs_kernel_fits(&trial, r->target, err);
    return s ? s : cs_kernel_prepare(&trial, r->target, err);
}

cs_status cs_run_set(cs_run *r, size_t arm, const char *param, double value,
                     cs_error *err)
{
    size_t i = 0;
    cs_status s = cs_arm_find(r, arm, param, &i, err);
    if (s == CS_OK)
        s = cs_param_check_number(&r->arm[arm].kernel.type->params[i], value,
                                  err);
    if (s == CS_OK)
        s = allows(r, arm, i, value, err);
    if (s != CS_OK)
        return s;
    cs_redo how = {.kind = CHANGED_VALUE, .param = i};
    return change(r, arm, param, value, how, err);
}

/* Checks that a schedule may drive the parameter. Some parameters are shared by
 * all chains of a wrapper kernel, such as a ladder or the period of an
 * exchange. Such parameters must be constant. */
static cs_status may_drive(const cs_kernel *k, size_t i,
                           const cs_schedule *schedule, cs_error *err)
{
    const cs_param *row = &k->type->params[i];
    const cs_wrapper *outer = k->type->wraps ? k->self : NULL;
    if (outer && i < outer->n_params && (row->flags & CS_PARAM_SHARED)) {
        cs_fail(err, CS_INPUT, "'%s' of %s takes a number, not a schedule",
                row->name, k->type->name);
        cs_hint(err, "set the schedule on a parameter of the inner kernel");
        return CS_INPUT;
    }
    return cs_plan_allows(schedule, row, err);
}

cs_status cs_run_set_schedule(cs_run *r, size_t arm, const char *param,
                              const cs_schedule *schedule, cs_error *err)
{
    size_t i = 0;
    cs_status s = cs_arm_find(r, arm, param, &i, err);
    if (s == CS_OK)
        s = may_drive(&r->arm[arm].kernel, i, schedule, err);
    if (s != CS_OK)
        return s;
    double now;
    schedule->type->fill(schedule, r->arm[arm].steps + 1, 1, &now);
    s = allows(r, arm, i, now, err);
    if (s != CS_OK)
        return s;
    cs_redo how = {.kind = CHANGED_SCHEDULE, .param = i, .schedule = *schedule};
    return change(r, arm, param, now, how, err);
}

cs_status cs_run_set_kernel(cs_run *r, size_t arm, const cs_kernel *kernel,
                            const cs_plan *plan, cs_error *err)
{
    if (arm >= r->n_arms)
        return cs_fail(err, CS_RANGE, "there is no arm %zu", arm + 1);
    cs_status s = cs_arm_fits(r, &r->arm[arm], kernel, err);
    if (s != CS_OK)
        return s;
    cs_redo how = {
        .kind = CHANGED_KERNEL, .kernel = *kernel, .plan = cs_plan_held(plan)};
    if (!how.plan)
        return cs_fail(err, CS_MEMORY, "out of memory for the kernel");
    return change(r, arm, kernel->type->name, 0, how, err);
}

cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err)
{
    if (arm >= r->n_arms || chain >= r->arm[arm].chains)
        return cs_fail(err, CS_RANGE, "there is no chain %zu in arm %zu",
                       chain + 1, arm + 1);
    if (!cs_space_contains(&r->target->space, x, 1))
        return cs_fail(err, CS_RANGE,
                       "the state is not a point of the %s space",
                       cs_space_name(r->target->space.kind));
    size_t bytes = r->target->space.dim * sizeof *x;
    double *copy = cs_alloc(1, bytes);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "out of memory for the state");
    memcpy(copy, x, bytes);
    cs_redo how = {.kind = CHANGED_STATE, .chain = chain, .x = copy};
    return change(r, arm, "state", (double)chain, how, err);
}

cs_status cs_run_set_metric(cs_run *r, size_t arm, cs_metric_kind kind,
                            const double *covariance, const double *centre,
                            cs_error *err)
{
    if (arm >= r->n_arms)
        return cs_fail(err, CS_RANGE, "there is no arm %zu", arm + 1);
    cs_redo how = {.kind = CHANGED_METRIC};
    cs_status s = cs_metric_fits(&r->arm[arm].kernel, r->target, err);
    if (s == CS_OK)
        s = cs_metric_make(&how.metric, kind, r->target->space.dim, covariance,
                           err);
    if (s == CS_OK)
        s = cs_metric_set_centre(how.metric, centre, err);
    if (s)
        cs_metric_let_go(how.metric);
    return s ? s : change(r, arm, cs_metric_names[kind], 0, how, err);
}
