#include "chain/plan.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

cs_held_plan *cs_plan_held(const cs_plan *plan)
{
    cs_held_plan *held = cs_alloc(1, sizeof *held);
    if (!held)
        return NULL;
    held->holders = 1;
    if (plan)
        held->plan = *plan;
    return held;
}

cs_held_plan *cs_plan_hold(cs_held_plan *held)
{
    held->holders++;
    return held;
}

void cs_plan_let_go(cs_held_plan *held)
{
    assert(!held || held->holders);
    if (held && --held->holders == 0)
        cs_free(held);
}

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

size_t cs_plan_fill(const cs_plan *plan, const cs_kernel *k, uint64_t first,
                    size_t n, cs_driven *driven)
{
    size_t sound = n;
    driven->n = 0;
    for (size_t p = 0; p < k->type->n_params; p++) {
        const cs_schedule *s = &plan->schedule[p];
        if (!plan->driven[p])
            continue;
        double *row = driven->value + driven->n * n;
        driven->param[driven->n++] = p;
        s->type->fill(s, first, n, row);
        for (size_t i = n; i-- > 0;) {
            row[i] = within(&k->type->params[p], row[i]);
            if (isnan(row[i]) && i < sound)
                sound = i;
        }
    }
    return sound;
}
