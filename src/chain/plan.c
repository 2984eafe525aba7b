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

/* ---- schedules ----------------------------------------------------------- */

const cs_schedule *cs_plan_schedule(const cs_plan *plan, size_t k)
{
    static const cs_schedule none;
    assert(plan && k < CS_KERNEL_PARAMS);
    return plan->place[k] ? &plan->schedule[plan->place[k] - 1] : &none;
}

/* Returns the place of parameter k, or a place that no driven parameter uses;
 * CS_PLAN_SCHEDULES: all are used. */
static size_t find_place(const cs_plan *plan, size_t k)
{
    bool used[CS_PLAN_SCHEDULES] = {false};
    size_t place = 0;
    for (size_t i = 0; i < CS_KERNEL_PARAMS; i++)
        if (i != k && plan->driven[i] && plan->place[i])
            used[plan->place[i] - 1] = true;
    if (plan->place[k] && !used[plan->place[k] - 1])
        return plan->place[k] - 1u;
    while (place < CS_PLAN_SCHEDULES && used[place])
        place++;
    return place;
}

bool cs_plan_drive(cs_plan *plan, size_t k, const cs_schedule *s)
{
    assert(plan && k < CS_KERNEL_PARAMS && s);
    size_t place = find_place(plan, k);
    if (place == CS_PLAN_SCHEDULES)
        return false;
    for (size_t i = 0; i < CS_KERNEL_PARAMS; i++)
        if (plan->place[i] == place + 1)
            plan->place[i] = 0;
    plan->driven[k] = true;
    plan->place[k] = (uint8_t)(place + 1);
    plan->schedule[place] = *s;
    return true;
}

cs_status cs_plan_is_full(cs_error *err)
{
    return cs_fail(err, CS_UNSUPPORTED,
                   "at most %d parameters of a kernel can follow a schedule",
                   CS_PLAN_SCHEDULES);
}

/* ---- values -------------------------------------------------------------- */

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
        const cs_schedule *s = cs_plan_schedule(plan, p);
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
