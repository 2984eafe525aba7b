#include "chain/plan.h"

void cs_plan_fill(const cs_plan *plan, const cs_kernel *k, uint64_t first,
                  size_t n, double *table)
{
    for (size_t p = 0; p < k->type->n_params; p++) {
        double *row = table + p * n;
        if (plan->driven[p]) {
            const cs_schedule *s = &plan->schedule[p];
            s->type->fill(s, first, n, row);
            continue;
        }
        for (size_t i = 0; i < n; i++)
            row[i] = k->values[p];
    }
}
