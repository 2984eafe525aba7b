#include "run/views/plans.h"

#include "chain/kernel_text.h"
#include "run/arms/arms.h"
#include "run/views/view.h"

static void put_metric(cs_page *p, const cs_metric *g)
{
    bool dense = g->kind == CS_METRIC_DENSE;
    cs_page_put(p, "{ ");
    for (size_t i = 0; i < g->dim; i++) {
        cs_page_put(p, i ? ", " : "");
        if (dense)
            cs_numbers_put(p, g->covariance + i * g->dim, g->dim);
        else
            cs_number_put(p, g->covariance[i]);
    }
    if (g->centre) {
        cs_page_put(p, ", centre = ");
        cs_numbers_put(p, g->centre, g->dim);
    }
    cs_page_put(p, " }");
}

/* Writes a kernel. If the kernel has a metric, or if it would otherwise get a
 * tuner, writes it in a table. */
static void put_arm(cs_page *p, const cs_arm_view *v)
{
    bool apart = v->metric || v->kernel->type->tuner;
    cs_page_put(p, apart ? "{ kernel = " : "");
    cs_kernel_put(p, v->kernel, v->plan);
    if (v->metric) {
        cs_page_put(p, ", metric = ");
        put_metric(p, v->metric);
    }
    cs_page_put(p, apart ? ", tuner = false }" : "");
}

void cs_plans_text(const cs_run *r, cs_page *p)
{
    cs_page_put(
        p,
        "-- The kernels of a run's arms after %llu steps, without warm-ups, "
        "for use in another run:\n-- arms = cs.plans \"plans.lua\". "
        "Numbers may be edited.\nlocal cs = require \"chainscope\"\nreturn {\n",
        (unsigned long long)cs_run_steps(r));
    for (size_t i = 0; i < cs_run_arms(r); i++) {
        cs_arm_view v = cs_run_arm(r, i);
        bool has_text = cs_kernel_has_text(v.kernel, v.plan);
        if (v.tuning.active)
            cs_page_put(p, "  -- %s was still being tuned\n", v.name);
        cs_page_put(p, "  %s[\"%s\"] = ", has_text ? "" : "-- ", v.name);
        if (has_text)
            put_arm(p, &v);
        else
            cs_page_put(p, "an object made by a function of the scenario");
        cs_page_put(p, ",\n");
    }
    cs_page_put(p, "}\n");
}
