#include "chain/plan.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

static bool drives(const cs_plan *plan)
{
    for (size_t i = 0; plan && i < CS_KERNEL_PARAMS; i++)
        if (plan->driven[i])
            return true;
    return false;
}

/* Allocates space only for a plan that drives a parameter: a plan takes tens of
 * kilobytes, and most plans drive no parameter. */
cs_held_plan *cs_plan_held(const cs_plan *plan)
{
    static const cs_plan nothing;
    const size_t own = drives(plan);
    cs_held_plan *held = cs_alloc(1, sizeof *held + own * sizeof *plan);
    if (!held)
        return NULL;
    held->holders = 1;
    held->plan = own ? held->own : &nothing;
    if (own)
        held->own[0] = *plan;
    return held;
}

cs_held_plan *cs_plan_hold(cs_held_plan *held)
{
    assert(held && held->holders);
    held->holders++;
    return held;
}

void cs_plan_let_go(cs_held_plan *held)
{
    assert(!held || held->holders);
    if (held && --held->holders == 0)
        cs_free(held);
}

/* Returns the allowed value of a row that is nearest to x; NAN for NAN. */
static double within(const cs_param *row, double x)
{
    double y = row->kind == CS_PARAM_REAL ? x : round(x);
    return y < row->min ? row->min : y > row->max ? row->max : y;
}

double cs_plan_value(const cs_schedule *s, const cs_param *row, uint64_t step)
{
    assert(s->type && row && step >= 1);
    double x;
    s->type->fill(s, step, 1, &x);
    return within(row, x);
}

static cs_status beyond(const cs_schedule *s, const cs_param *row,
                        uint64_t step, double x, cs_error *err)
{
    cs_fail(err, CS_RANGE,
            "%s = %g is out of range at step %llu of its schedule %s",
            row->name, x, (unsigned long long)step, s->type->name);
    cs_hint(err, "use values between %g and %g", row->min, row->max);
    return CS_RANGE;
}

cs_status cs_plan_allows(const cs_schedule *s, const cs_param *row,
                         cs_error *err)
{
    assert(s->type && row);
    enum { PART = 256, PARTS = 16, LAST = 50 };
    double x[PART];
    if (s->type->flags & CS_SCHEDULE_MAIN_THREAD)
        return CS_OK; /* not checked, because a function of a script would take
                         too long for this many steps */
    for (uint64_t first = 1; first < PART * PARTS; first += PART) {
        s->type->fill(s, first, PART, x);
        for (uint64_t i = 0; i < PART; i++)
            if (!(x[i] >= row->min && x[i] <= row->max))
                return beyond(s, row, first + i, x[i], err);
    }
    for (uint64_t step = PART * PARTS; step < 1ull << LAST; step *= 2) {
        s->type->fill(s, step, 1, x);
        if (!(x[0] >= row->min && x[0] <= row->max))
            return beyond(s, row, step, x[0], err);
    }
    return CS_OK;
}

size_t cs_plan_fill(const cs_plan *plan, const cs_kernel *k,
                    const uint64_t *from, uint64_t first, size_t n,
                    cs_driven *driven)
{
    assert(plan && k->type && driven && driven->value);
    size_t sound = n;
    driven->n = 0;
    for (size_t p = 0; p < k->type->n_params; p++) {
        const cs_schedule *s = &plan->schedule[p];
        if (!plan->driven[p])
            continue;
        double *row = driven->value + driven->n * n;
        driven->param[driven->n++] = p;
        s->type->fill(s, from ? first - from[p] : first, n, row);
        for (size_t i = n; i-- > 0;) {
            row[i] = within(&k->type->params[p], row[i]);
            if (isnan(row[i]) && i < sound)
                sound = i;
        }
    }
    return sound;
}
