#include "run/arms/limits.h"

#include "run/arms/run_state.h"
#include "run/arms/world.h"

#include <math.h>
#include <stdio.h>

/* ---- living chains ---- */

bool cs_run_arm_lives(const cs_run *r, size_t arm)
{
    const cs_arm *a = &r->arm[arm];
    for (size_t b = 0; b < a->n_blocks; b++)
        if (cs_arm_moves(a, a->block[b]) && cs_block_lives(a->block[b]))
            return true;
    if (cs_run_is_split(r))
        return a->elsewhere.lives;
    return a->share.own.end == 0; /* all its chains are on other ranks */
}

bool cs_run_lives(const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        if (cs_run_arm_lives(r, i))
            return true;
    return false;
}

/* ---- budgets ---- */

bool cs_arm_waits(const cs_arm *a)
{
    return a->limit.on && a->steps >= a->limit.at;
}

/* Returns the largest spent fraction over the limits of the work budget. A
 * value of 1 or more means that the budget is spent. */
double cs_arm_spent(const cs_run *r, const cs_arm *a)
{
    cs_work work = cs_arm_work(a);
    double part = 0;
    if (r->budget.gradients)
        part = (double)work.gradients / (double)r->budget.gradients;
    if (r->budget.log_densities)
        part = fmax(part, (double)work.log_densities /
                              (double)r->budget.log_densities);
    if (r->budget.data_terms)
        part =
            fmax(part, (double)work.data_terms / (double)r->budget.data_terms);
    return part;
}

bool cs_arm_is_finished(const cs_run *r, const cs_arm *a)
{
    if (a->share.own.end == 0 && !cs_run_is_split(r))
        return true;
    if (cs_arm_waits(a) && a->limit.last)
        return true;
    bool spends = (r->budget.steps && a->steps >= r->budget.steps) ||
                  cs_arm_spent(r, a) >= 1;
    return (spends && !r->ending.lifted) ||
           !cs_run_arm_lives(r, (size_t)(a - r->arm));
}

void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last)
{
    cs_arm *a = &r->arm[arm];
    if (a->limit.fixed && steps > a->limit.at)
        return;
    a->limit.on = true;
    a->limit.at = steps;
    a->limit.last = last;
    a->finished = cs_arm_is_finished(r, a);
}

bool cs_run_waits(const cs_run *r)
{
    bool waits = true;
    for (size_t i = 0; i < r->n_arms; i++)
        waits &= r->arm[i].finished || cs_arm_waits(&r->arm[i]);
    return waits && !cs_run_finished(r);
}

void cs_run_end_here(cs_run *r, const char *why)
{
    snprintf(r->ending.why, sizeof r->ending.why, "%s", why);
    r->ending.why_at = r->steps;
}

const char *cs_run_ended(const cs_run *r)
{
    return *r->ending.why && r->ending.why_at == r->steps ? r->ending.why
                                                          : NULL;
}

bool cs_run_lifted(const cs_run *r)
{
    return r->ending.lifted;
}

uint64_t cs_arm_step(const cs_run *r, const cs_arm *a)
{
    return r->ending.lifted ? r->ending.lifted_at + (a->steps - a->limit.lifted)
                            : a->steps;
}

bool cs_run_finished(const cs_run *r)
{
    if (!r->ending.lifted && r->budget.seconds > 0 &&
        r->ending.seconds >= r->budget.seconds)
        return true;
    for (size_t i = 0; i < r->n_arms; i++)
        if (!r->arm[i].finished)
            return false;
    return true;
}
