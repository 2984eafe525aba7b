/* Parses changes typed by users. */
#include "base/typed.h"
#include "kernel/members.h"
#include "run/arms/run_state.h"
#include "run/history/change.h"
#include "run/history/changes.h"
#include "run/tuning/tune.h"
#include "run/tuning/tuning_view.h"
#include "schedule/typed_schedule.h"

#include <stdio.h>
#include <string.h>

static bool is_choice(const cs_param *row, const char *text)
{
    for (size_t i = 0; row->choices && row->choices[i]; i++)
        if (strcmp(row->choices[i], text) == 0)
            return true;
    return false;
}

static const char of_schedule[] = "cs.schedule.";

static bool is_written(const char *text)
{
    return strncmp(text, of_schedule, strlen(of_schedule)) == 0;
}

static cs_status read_schedule(const char *text, cs_schedule *s, cs_error *err)
{
    if (!is_written(text))
        return cs_schedule_from_words(s, text, err);
    cs_status status = cs_schedule_read(&text, s, err);
    if (status == CS_OK && text[strspn(text, " \t")])
        status =
            cs_fail(err, CS_INPUT, "unexpected '%s' after the schedule", text);
    return status;
}

static bool is_being_tuned(const cs_arm *a, size_t k)
{
    const cs_tuning_view g = cs_tuning_look(a);
    return g.active && cs_tuner_drives(g.tuner, k);
}

/* Finds the schedule of a parameter. Fails if the parameter has no schedule
 * with fields. */
static cs_status find_schedule(const cs_arm *a, size_t k,
                               const cs_schedule **now, cs_error *err)
{
    const char *name = a->kernel.type->params[k].name;
    *now = cs_plan_schedule(&a->plan, k);
    if (is_being_tuned(a, k)) {
        cs_fail(err, CS_UNSUPPORTED,
                "%s.%s is being tuned and cannot follow a schedule yet",
                a->name, name);
        cs_hint(err, "wait until the search ends, or set every field of a "
                     "schedule, which ends the search");
        return CS_UNSUPPORTED;
    }
    if (a->plan.driven[k] && cs_schedule_has_text(*now))
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s.%s %s", a->name, name,
            a->plan.driven[k]
                ? "is set by a function of the script, which has no fields"
                : "has no schedule");
    cs_hint(err,
            "set every field of a schedule: %s.%s cosine max=... min=... "
            "period=...",
            a->name, name);
    return CS_INPUT;
}

static cs_status set_field(cs_run *r, size_t arm, const char *param,
                           const char *field, const char *text, cs_error *err)
{
    size_t k = 0;
    const cs_schedule *now;
    cs_schedule next;
    cs_status s = cs_arm_find(r, arm, param, &k, err);
    if (s == CS_OK)
        s = find_schedule(&r->arm[arm], k, &now, err);
    if (s == CS_OK)
        s = cs_schedule_with(now, field, text, &next, err);
    return s ? s : cs_run_set_schedule(r, arm, param, &next, err);
}

cs_status cs_run_set_text(cs_run *r, size_t arm, const char *name,
                          const char *text, cs_error *err)
{
    char param[64];
    size_t n = strcspn(name, "."), k = 0;
    double x;
    cs_schedule schedule;
    if (arm < r->n_arms)
        n = cs_kernel_param_length(r->arm[arm].kernel.type, name);
    snprintf(param, sizeof param, "%.*s", (int)(n < 63 ? n : 63), name);
    if (name[n])
        return set_field(r, arm, param, name + n + 1, text, err);
    cs_status s = cs_arm_find(r, arm, param, &k, err);
    if (s != CS_OK)
        return s;
    const cs_param *row = &r->arm[arm].kernel.type->params[k];
    if (!is_choice(row, text) &&
        (is_written(text) || cs_schedule_is_words(text))) {
        s = read_schedule(text, &schedule, err);
        return s ? s : cs_run_set_schedule(r, arm, param, &schedule, err);
    }
    s = cs_param_read(row, text, &x, err);
    return s ? s : cs_run_set(r, arm, param, x, err);
}
