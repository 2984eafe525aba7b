#include "run/arms/arms.h"

#include "run/arms/run_state.h"

#include <stdio.h>

size_t cs_run_arms(const cs_run *r)
{
    return r->n_arms;
}

cs_target *cs_run_target(const cs_run *r)
{
    return r->target;
}

cs_target *cs_run_arm_target(const cs_run *r, size_t arm)
{
    return arm < r->n_arms ? r->arm[arm].target : r->target;
}

bool cs_run_learns(const cs_run *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_arms; i++)
        any |= r->arm[i].learns != NULL;
    return any;
}

const char *cs_run_arm_name(const cs_run *r, size_t arm)
{
    return arm < r->n_arms ? r->arm[arm].name : NULL;
}

uint64_t cs_run_seed(const cs_run *r)
{
    return r->seed;
}

uint64_t cs_run_steps(const cs_run *r)
{
    return r->steps;
}

uint64_t cs_run_warmup(const cs_run *r)
{
    return r->given.warmup;
}

const cs_budget *cs_run_budget(const cs_run *r)
{
    return &r->budget;
}

double cs_run_seconds(const cs_run *r)
{
    return r->ending.seconds;
}

bool cs_run_one_place(const cs_run *r)
{
    return r->given.one_start;
}

void cs_run_set_checked(cs_run *r, size_t arm, bool checked, const char *broken)
{
    r->arm[arm].reported.checked = checked;
    snprintf(r->arm[arm].reported.broken, sizeof r->arm[arm].reported.broken,
             "%s", broken);
}

const char *cs_run_broken(const cs_run *r, size_t arm)
{
    return r->arm[arm].reported.broken;
}

bool cs_run_checked(const cs_run *r, size_t arm)
{
    return r->arm[arm].reported.checked;
}

void cs_run_set_files(cs_run *r, size_t arm, const cs_warn_files *files)
{
    r->arm[arm].reported.files = *files;
}

cs_warn_files cs_run_files(const cs_run *r, size_t arm)
{
    return r->arm[arm].reported.files;
}

const char *cs_run_note(const cs_run *r)
{
    for (size_t i = 0; i < r->n_arms; i++)
        if (r->arm[i].kernel.type->flags & CS_KERNEL_GRADIENT)
            return r->target->gradient.note;
    const unsigned alone = CS_TARGET_OUTSIDE | CS_TARGET_MAIN_THREAD;
    return (r->target->flags & alone) == alone ? r->target->gradient.note
                                               : NULL;
}
