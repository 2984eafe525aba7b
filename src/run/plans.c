/* Plans as Lua: what moves the arms now, in the words of a scenario. Every
 * number has the digits that bring back its bits. */
#include "run/plans.h"

#include <math.h>
#include <string.h>

static void put_number(cs_page *p, double x)
{
    if (isinf(x))
        cs_page_put(p, x > 0 ? "math.huge" : "-math.huge");
    else
        cs_page_put(p, "%.17g", x);
}

static void put_value(cs_page *p, const cs_param *row, double x)
{
    if (row->kind == CS_PARAM_CHOICE)
        cs_page_put(p, "\"%s\"", row->choices[(size_t)x]);
    else if (row->kind == CS_PARAM_BOOL)
        cs_page_put(p, x != 0 ? "true" : "false");
    else
        put_number(p, x);
}

static void put_list(cs_page *p, const double *x, size_t n)
{
    cs_page_put(p, "{ ");
    for (size_t i = 0; i < n; i++) {
        cs_page_put(p, i ? ", " : "");
        put_number(p, x[i]);
    }
    cs_page_put(p, " }");
}

static void put_schedule(cs_page *p, const cs_schedule *s)
{
    const cs_schedule_type *type = s->type;
    if (strcmp(type->name, "cycle") == 0) {
        put_list(p, s->values + 1, cs_schedule_used(s) - 1);
        return;
    }
    cs_page_put(p, "cs.schedule.%s { ", type->name);
    for (size_t i = 0; i < type->n_params; i++) {
        cs_page_put(p, "%s%s = ", i ? ", " : "", type->params[i].name);
        put_value(p, &type->params[i], s->values[i]);
    }
    cs_page_put(p, " }");
}

/* False: a script made it, and only the script can make it again. */
static bool has_words(const cs_arm_view *v)
{
    const cs_kernel_type *outer, *inner;
    bool all = cs_kernel_find(v->kernel->type->name) == v->kernel->type ||
               cs_kernel_find_wrapper(v->kernel->type->name, &outer, &inner);
    for (size_t i = 0; i < v->kernel->type->n_params; i++)
        all &= !v->plan->driven[i] ||
               !(v->plan->schedule[i].type->flags & CS_SCHEDULE_HIDDEN);
    return all;
}

/* The fields [from, to) of the kernel, and its lists behind them. */
static void put_fields(const cs_arm_view *v, size_t from, size_t to, cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type;
    for (size_t i = from; i < to; i++) {
        cs_page_put(p, "%s%s = ", i > from ? ", " : "", type->params[i].name);
        if (v->plan->driven[i])
            put_schedule(p, &v->plan->schedule[i]);
        else
            put_value(p, &type->params[i], v->kernel->values[i]);
    }
}

static void put_lists(const cs_kernel *k, cs_page *p)
{
    for (size_t i = 0; i < k->type->n_lists; i++) {
        size_t n;
        const double *x = cs_kernel_list(k, i, &n);
        if (!x)
            continue;
        cs_page_put(p, ", %s = ", k->type->params[k->type->n_params + i].name);
        put_list(p, x, n);
    }
}

bool cs_plan_text(const cs_arm_view *v, cs_page *p)
{
    const cs_kernel_type *type = v->kernel->type, *outer, *inner;
    if (!has_words(v))
        return false;
    if (!cs_kernel_find_wrapper(type->name, &outer, &inner)) {
        cs_page_put(p, "cs.kernel.%s { ", type->name);
        put_fields(v, 0, type->n_params, p);
    } else {
        cs_page_put(p, "cs.kernel.%s { ", outer->name);
        put_fields(v, 0, outer->n_params, p);
        put_lists(v->kernel, p);
        cs_page_put(p, ", kernel = cs.kernel.%s { ", inner->name);
        put_fields(v, outer->n_params, type->n_params, p);
        cs_page_put(p, " }");
    }
    cs_page_put(p, " }");
    return true;
}

void cs_plans_text(const cs_run *r, cs_page *p)
{
    cs_page_put(p,
                "-- What moved the arms of a run after %llu steps, warm-ups "
                "over: the arms of another,\n"
                "-- arms = cs.plans \"plans.lua\". Numbers may be edited.\n"
                "local cs = require \"chainscope\"\n"
                "return {\n",
                (unsigned long long)cs_run_steps(r));
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        cs_arm_view v = cs_run_arm(r, i);
        if (v.tuning.active)
            cs_page_put(p, "  -- %s was still being tuned\n", v.name);
        cs_page_put(p, "  %s[\"%s\"] = ", has_words(&v) ? "" : "-- ", v.name);
        if (!cs_plan_text(&v, p))
            cs_page_put(p, "what a function of the scenario made");
        cs_page_put(p, ",\n");
    }
    cs_page_put(p, "}\n");
}
