/* A plan: which schedule drives which parameter of a kernel. Frozen while
 * chains run: it is the result of a tuner, or edited by the user between
 * steps. */
#pragma once

#include "kernel/kernel.h"
#include "schedule/schedule.h"

typedef struct cs_plan {
    bool driven[CS_KERNEL_PARAMS];          /* else the kernel's own value */
    cs_schedule schedule[CS_KERNEL_PARAMS]; /* of the driven ones */
} cs_plan;

/* A shared plan: marks of the past, changes of a kernel. It is immutable while
 * it has several holders. The holders are counted without a lock: make, hold
 * and let go of one on the thread that owns the run. */
typedef struct cs_held_plan {
    size_t holders;
    const cs_plan *plan; /* `own`, or one of all that drive nothing */
    cs_plan own[];
} cs_held_plan;

/* A copy of `plan` (NULL: one that drives nothing) with one holder, the caller;
 * NULL: out of memory. */
cs_held_plan *cs_plan_held(const cs_plan *plan);
/* One holder more. */
cs_held_plan *cs_plan_hold(cs_held_plan *held);
/* One holder less; the last frees it. NULL is fine. */
void cs_plan_let_go(cs_held_plan *held);

/* The values of some parameters over some steps; others keep the kernel's
 * values. */
typedef struct cs_driven {
    size_t n;                       /* rows */
    size_t param[CS_KERNEL_PARAMS]; /* [n] whose they are */
    double *value; /* [n][steps], room for CS_KERNEL_PARAMS rows [borrowed] */
} cs_driven;

/* Fills the rows that `plan` drives, for the steps first .. first+n-1 of the
 * chain; from[p] of them are before the first by which the schedule of parameter
 * p counts (NULL: none). What a
 * schedule gives beyond the range of its parameter is cut to it. Returns how
 * many steps come before the first at which a schedule has no value (its
 * function failed): n when none is. May call Lua: on the session's thread
 * only. */
size_t cs_plan_fill(const cs_plan *plan, const cs_kernel *k,
                    const uint64_t *from, uint64_t first, size_t n,
                    cs_driven *driven);

/* Whether a registered schedule stays within the range of the parameter that it
 * is to drive, at the first steps and at powers of two; one of a script is not
 * asked. */
cs_status cs_plan_allows(const cs_schedule *s, const cs_param *row,
                         cs_error *err);

/* What a schedule gives a parameter at one step, within its range. */
double cs_plan_value(const cs_schedule *s, const cs_param *row, uint64_t step);
