/* Implements `schedules`: prints the schedules that drive parameters of the
 * open run's kernels, and the steps at which the schedules are evaluated. */
#include "base/memory.h"
#include "chain/kernel_text.h"
#include "run/arms/arms.h"
#include "run/tuning/tuning_view.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <assert.h>
#include <string.h>

/* Returns the maximum length of an arm's warm-up. If the arm has no warm-up,
 * returns 0. */
static uint64_t warmup_of(const cs_arm_view *arm)
{
    const cs_tuner *t = arm->tuning.tuner;
    return !t                   ? 0
           : arm->tuning.active ? t->type->steps(t->values)
                                : arm->tuning.steps;
}

static void put_value(cs_page *p, const cs_arm_view *arm, size_t k,
                      uint64_t step, const char *which)
{
    cs_page_put(p, "    step %llu%s: %g\n", (unsigned long long)step, which,
                cs_arm_view_value(arm, k, step));
}

/* Prints the values of the schedule in row k: at the first step, at the
 * start of the draws, and at the last step. */
static void put_schedule(cs_page *p, const cs_arm_view *arm, size_t k,
                         uint64_t last)
{
    const cs_schedule *s = cs_plan_schedule(arm->plan, k);
    uint64_t warmup = warmup_of(arm), from = cs_arm_view_from(arm, k);
    cs_page_put(p, "  %s = ", arm->kernel->type->params[k].name);
    if (cs_schedule_has_text(s))
        cs_schedule_put(p, s);
    else
        cs_page_put(p, "a function of the script");
    if (from)
        cs_page_put(p,
                    ": found by the tuner %s; counts steps from step %llu, "
                    "where the draws begin\n",
                    arm->tuning.tuner->type->name,
                    (unsigned long long)from + 1);
    else
        cs_page_put(p, ": counts steps from the first step of the chain\n");
    put_value(p, arm, k, from + 1, "");
    if (warmup && !from)
        put_value(p, arm, k, warmup, ", the last step of the warm-up");
    if (last > from + 1 && last != warmup)
        put_value(p, arm, k, last, ", the last step");
}

/* Prints how the kernel was chosen. */
static void put_chosen(cs_page *p, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        cs_page_put(p, "  %.*s\n", (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

static void put_arm(cs_page *p, const cs_arm_view *arm, uint64_t last)
{
    const cs_tuning_view *g = &arm->tuning;
    size_t before;
    cs_page_put(p, "%s (%s)\n", arm->name, arm->kernel->type->name);
    put_chosen(p, arm->chosen ? arm->chosen : "");
    before = p->used;
    for (size_t d = 0; g->active && g->tuner && d < g->tuner->n_driven; d++)
        cs_page_put(
            p,
            "  %s: the tuner %s finds it in the warm-up of at most %llu steps; "
            "a schedule then counts steps from the end of the warm-up\n",
            arm->kernel->type->params[g->tuner->param[d]].name,
            g->tuner->type->name, (unsigned long long)warmup_of(arm));
    for (size_t k = 0; k < arm->kernel->type->n_params; k++)
        if (arm->plan->driven[k])
            put_schedule(p, arm, k, last);
    if (p->used == before)
        cs_page_put(p, "  no parameter has a schedule\n");
}

cs_status cs_command_schedules(cs_session *s, char **word, size_t n,
                               cs_error *err)
{
    assert(s->open.run);
    (void)word, (void)n;
    cs_run *r = s->open.run;
    cs_page page = {0};
    uint64_t steps = cs_run_budget(r)->steps;
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        cs_arm_view arm = cs_run_arm(r, i);
        put_arm(&page, &arm, steps ? steps : arm.steps);
    }
    cs_status status =
        page.full
            ? cs_fail(err, CS_MEMORY, "out of memory for the list of schedules")
            : CS_OK;
    if (status == CS_OK) {
        cs_printer p;
        cs_printer_begin(&p, s, true);
        cs_printer_print(&p, page.text, page.used);
        cs_printer_end(&p);
    }
    cs_free(page.text);
    return status;
}
