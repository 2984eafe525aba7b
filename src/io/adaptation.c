/* The format is defined in the CmdStan Guide, "Stan CSV File Format":
 * adaptation. */
#include "io/adaptation.h"

#include "io/cmdstan.h"
#include "kernel/member_metrics.h"

#include <stdio.h>

static void put_row(cs_page *p, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cs_page_put(p, "%s%.17g", i ? ", " : "# ", value[i]);
    cs_page_put(p, "\n");
}

/* Writes the metric. Stan's inverse metric corresponds to our metric, a
 * covariance. `name` is " (MEMBER)" for a member, otherwise empty. */
static void put_metric(cs_page *p, const char *name, const cs_metric *metric)
{
    switch (cs_metric_kind_of(metric)) {
    case CS_METRIC_DIAGONAL:
        cs_page_put(p, "# Diagonal elements of inverse mass matrix%s:\n", name);
        put_row(p, metric->covariance, metric->dim);
        break;
    case CS_METRIC_DENSE:
        cs_page_put(p, "# Elements of inverse mass matrix%s:\n", name);
        for (size_t i = 0; i < metric->dim; i++)
            put_row(p, metric->covariance + i * metric->dim, metric->dim);
        break;
    default:
        cs_page_put(p, "# No free parameters for unit metric\n");
    }
}

static void put_member(void *self, const char *path, const cs_metric *metric)
{
    char name[160];
    snprintf(name, sizeof name, " (%s)", path);
    put_metric(self, name, metric);
}

void cs_adaptation_put(cs_page *p, const cs_kernel *k, const cs_metric *metric)
{
    const cs_kernel_type *type = k->type;
    int step = cs_param_find(type->params, type->n_params, "step");
    cs_page_put(p, CS_CMDSTAN_ADAPTED);
    if (step >= 0)
        cs_page_put(p, "# Step size = %.17g\n", k->values[step]);
    if (type->flags & CS_KERNEL_METRIC)
        put_metric(p, "", metric);
    cs_composed_show_metrics(k, metric, put_member, p);
}
