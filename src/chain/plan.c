#include "chain/plan.h"

#include <math.h>

/* What a row allows that is nearest to x; NAN stays NAN. */
static double within(const cs_param *row, double x)
{
    double y = row->kind == CS_PARAM_REAL ? x : round(x);
    return y < row->min ? row->min : y > row->max ? row->max : y;
}

double cs_plan_value(const cs_schedule *s, const cs_param *row, uint64_t step)
{
    double x;
    s->type->fill(s, step, 1, &x);
    return within(row, x);
}

void cs_plan_fill(const cs_plan *plan, const cs_kernel *k, uint64_t first,
                  size_t n, double *table)
{
    for (size_t p = 0; p < k->type->n_params; p++) {
        double *row = table + p * n;
        if (plan->driven[p]) {
            const cs_schedule *s = &plan->schedule[p];
            s->type->fill(s, first, n, row);
            for (size_t i = 0; i < n; i++)
                row[i] = within(&k->type->params[p], row[i]);
            continue;
        }
        for (size_t i = 0; i < n; i++)
            row[i] = k->values[p];
    }
}

size_t cs_plan_sound(const cs_plan *plan, const cs_kernel *k, size_t n,
                     const double *table)
{
    size_t sound = n;
    for (size_t p = 0; p < k->type->n_params; p++)
        for (size_t i = 0; plan->driven[p] && i < sound; i++)
            if (isnan(table[p * n + i]))
                sound = i;
    return sound;
}
