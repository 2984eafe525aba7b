/* A plan: the schedules that drive parameters of a kernel. A plan does not
 * change while chains run. A plan is the result of a tuner, or the user edits
 * it between steps. */
#pragma once

#include "kernel/kernel.h"
#include "schedule/schedule.h"

/* Maximum number of parameters of one kernel that schedules can drive, and of
 * rows in cs_driven: a tuner drives a few more. */
enum { CS_PLAN_SCHEDULES = 40, CS_DRIVEN_ROWS = CS_PLAN_SCHEDULES + 8 };

typedef struct cs_plan {
    bool driven[CS_KERNEL_PARAMS];   /* false: the parameter has the value that
                                        the kernel gives it */
    uint8_t place[CS_KERNEL_PARAMS]; /* 1 + the index of a driven parameter's
                                        schedule; 0: none */
    cs_schedule schedule[CS_PLAN_SCHEDULES]; /* see cs_plan_schedule */
} cs_plan;

/* Returns the schedule that was last set for parameter k; its type is NULL if
 * none was set. */
const cs_schedule *cs_plan_schedule(const cs_plan *plan, size_t k);

/* Drives parameter k by the schedule s. Returns false, and changes nothing, if
 * CS_PLAN_SCHEDULES other parameters are driven. */
bool cs_plan_drive(cs_plan *plan, size_t k, const cs_schedule *s);

/* Fails with CS_UNSUPPORTED; called after cs_plan_drive has returned false. */
cs_status cs_plan_is_full(cs_error *err);

/* A shared plan, used by saved marks and changes of a kernel. The plan is
 * immutable while it has several holders. The holder count has no lock: create,
 * hold and release a plan only on the thread that owns the run. */
typedef struct cs_held_plan {
    size_t holders;
    const cs_plan *plan; /* either `own`, or a static plan that drives no
                          * parameter */
    cs_plan own[];
} cs_held_plan;

/* Returns a copy of `plan` (NULL: a plan that drives no parameter) with the
 * caller as its only holder. Returns NULL if out of memory. */
cs_held_plan *cs_plan_held(const cs_plan *plan);
/* Adds a holder to a plan, and returns the plan. */
cs_held_plan *cs_plan_hold(cs_held_plan *held);
/* Removes a holder; removing the last holder frees the plan. NULL is
 * allowed. */
void cs_plan_let_go(cs_held_plan *held);

/* The values of driven parameters over some steps. Other parameters keep the
 * kernel's values. */
typedef struct cs_driven {
    size_t n;                       /* number of driven parameters */
    size_t param[CS_KERNEL_PARAMS]; /* [n] indices of the driven parameters in
                                       the kernel */
    double *value; /* [n][steps], with capacity for CS_DRIVEN_ROWS rows
                      [borrowed] */
} cs_driven;

/* Fills the rows that `plan` drives, for the steps first .. first+n-1 of the
 * chain. The schedule of parameter p counts the chain's steps after step
 * from[p] (after step 0 if `from` is NULL). Clamps a value beyond the range of
 * its parameter to the range. Returns n. If a schedule has no value at some
 * step because its function failed, returns the number of steps before the
 * first such step. May call Lua, so it must run on the session's thread. */
size_t cs_plan_fill(const cs_plan *plan, const cs_kernel *k,
                    const uint64_t *from, uint64_t first, size_t n,
                    cs_driven *driven);

/* Checks that a registered schedule stays within the range of the parameter
 * that it would drive. Checks the first steps, and the steps whose numbers are
 * powers of two. Schedules of a script are not checked. */
cs_status cs_plan_allows(const cs_schedule *s, const cs_param *row,
                         cs_error *err);

/* Returns the value of a schedule at one step, clamped to the range of its
 * parameter. */
double cs_plan_value(const cs_schedule *s, const cs_param *row, uint64_t step);
