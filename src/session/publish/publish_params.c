/* Publishes the parameters that the screen shows: first the parameters of the
 * kernel, then the fields of the schedules that drive these parameters, and
 * then the parameters of the target that may change. */
#include "chain/kernel_text.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/client/snapshot_rows.h"
#include "session/publish/publish.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCHEDULE_POINTS = 240 };

/* Publishes the next period of a schedule, or the next steps of an aperiodic
 * schedule. */
static void put_schedule(const cs_arm_view *arm, size_t i, size_t k, cs_flat *f)
{
    const cs_schedule *schedule = cs_plan_schedule(arm->plan, k);
    double period =
        schedule->type->period ? schedule->type->period(schedule) : 0;
    double span = period > 0 ? period : fmax(SCHEDULE_POINTS, 1);
    size_t n = (size_t)fmin(ceil(span), SCHEDULE_POINTS);
    double *to = cs_flat_array(f, 1, n, CS_KEY_PLAN_VALUES, i, k);
    uint64_t at = 0, first = arm->steps + 1;
    for (size_t j = 0; to && j < n; j++) {
        at = first + (uint64_t)((double)j * span / (double)n);
        to[j] = cs_arm_view_value(arm, k, at);
    }
    cs_row_schedule *row =
        CS_FLAT_ROWS(f, cs_row_schedule, 1, CS_KEY_SCHEDULE, i, k);
    if (row)
        *row = (cs_row_schedule){(double)first, (double)at, period,
                                 (double)cs_arm_view_from(arm, k)};
}

/* Returns the value of parameter k at the next step. */
static double value_now(const cs_arm_view *arm, size_t k)
{
    return cs_arm_view_value(arm, k, arm->steps + 1);
}

static void put_choices(const cs_param *row, cs_flat *f, size_t i, size_t k)
{
    char names[256] = "";
    size_t at = 0;
    for (size_t c = 0; row->choices[c] && at < sizeof names; c++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s",
                               c ? " " : "", row->choices[c]);
    cs_flat_text(f, names, "arm/%zu/param/%zu/choices", i, k);
}

/* Publishes the numbers and strings of parameter row k of arm i. */
static void put_row(const cs_param *row, const char *name, cs_row_param of,
                    size_t i, size_t k, cs_flat *f)
{
    cs_row_param *to = CS_FLAT_ROWS(f, cs_row_param, 1, CS_KEY_PARAM, i, k);
    if (to)
        *to = of;
    cs_flat_text(f, name, "arm/%zu/param/%zu/name", i, k);
    cs_flat_text(f, row->unit ? row->unit : "", "arm/%zu/param/%zu/unit", i, k);
    cs_flat_text(f, row->help ? row->help : "", "arm/%zu/param/%zu/help", i, k);
    if (row->kind == CS_PARAM_CHOICE)
        put_choices(row, f, i, k);
}

static void put_param(const cs_run *r, const cs_arm_view *arm, size_t i,
                      size_t k, cs_flat *f)
{
    const cs_param *row = &arm->kernel->type->params[k];
    put_row(row, row->name,
            cs_row_of_param(row, value_now(arm, k), arm->plan->driven[k],
                            (unsigned)cs_run_target(r)->space.kind),
            i, k, f);
    if (arm->plan->driven[k])
        put_schedule(arm, i, k, f);
}

/* Publishes the fields of the schedule that drives parameter k as rows `from`,
 * `from` + 1, ... Returns the number of fields. A field that is itself a value
 * of the parameter has the range of the parameter. */
static size_t put_fields(const cs_arm_view *arm, size_t i, size_t k,
                         size_t from, cs_flat *f)
{
    const cs_schedule *s = cs_plan_schedule(arm->plan, k);
    const cs_param *driven = &arm->kernel->type->params[k];
    size_t n = 0, used = cs_schedule_used(s);
    if (!cs_schedule_has_text(s))
        return 0;
    cs_flat_text(f, s->type->name, "arm/%zu/schedule/%zu/kind", i, k);
    double *all = cs_flat_array(f, 1, used, CS_KEY_VALUES, i, k);
    if (all)
        memcpy(all, s->values, used * sizeof *all);
    for (size_t j = 0; j < s->type->n_params; j++) {
        cs_param row = s->type->params[j];
        char name[160];
        if (row.kind == CS_PARAM_ARRAY)
            continue;
        if (row.flags & CS_SCHEDULE_DRIVES) {
            row.min = fmax(row.min, driven->min);
            row.max = fmin(row.max, driven->max);
            row.flags |= driven->flags & CS_PARAM_LOG;
            row.unit = driven->unit;
            row.def = row.flags & CS_PARAM_REQUIRED ? driven->def : row.def;
        }
        cs_row_param of = cs_row_of_param(&row, s->values[j], false, 0);
        of.of = (double)k + 1;
        snprintf(name, sizeof name, "%s.%s", driven->name, row.name);
        put_row(&row, name, of, i, from + n++, f);
    }
    return n;
}

/* Publishes the parameters of the target that may change during a run as rows
 * `from`, `from` + 1, ... Returns the number of these parameters. */
static size_t put_knobs(const cs_target *t, size_t i, size_t from, cs_flat *f)
{
    size_t n = 0;
    for (size_t k = 0; k < t->type->n_params; k++) {
        const cs_param *row = &t->type->params[k];
        char name[80];
        if (row->kind != CS_PARAM_REAL || !isfinite(t->values[k]))
            continue;
        cs_row_param of =
            cs_row_of_param(row, t->values[k], false, (unsigned)t->space.kind);
        /* because of this flag, the screen multiplies or divides a positive
         * value instead of adding to it */
        if (row->min >= 0 && t->values[k] > 0)
            of.flags = (double)((unsigned)of.flags | CS_PARAM_LOG);
        snprintf(name, sizeof name, "target.%s", row->name);
        put_row(row, name, of, i, from + n++, f);
    }
    return n;
}

void cs_session_put_params(const cs_run *r, size_t i, cs_flat *f)
{
    cs_arm_view arm = cs_run_arm(r, i);
    size_t own = arm.kernel->type->n_params, n = own;
    for (size_t k = 0; k < own; k++)
        put_param(r, &arm, i, k, f);
    for (size_t k = 0; k < own; k++)
        if (arm.plan->driven[k])
            n += put_fields(&arm, i, k, n, f);
    n += put_knobs(cs_run_target(r), i, n, f);
    cs_flat_number(f, (double)n, "arm/%zu/params", i);
}
