/* Changes between steps, and the journal of them. */
#pragma once

#include "chain/kernel_text.h"
#include "run/run.h"

typedef struct cs_arm cs_arm;

typedef enum cs_change_kind {
    CHANGED_VALUE,
    CHANGED_SCHEDULE,
    CHANGED_KERNEL,
    CHANGED_STATE,
    CHANGED_METRIC,
    CHANGED_RUN,      /* its budget, its workers: by what loaded it */
    CHANGED_BY_SCRIPT /* loaded; what it was only a script knows */
} cs_change_kind;

/* What replay needs beside the cs_change of the same number. */
typedef struct cs_redo {
    cs_change_kind kind;
    size_t param, chain;
    cs_schedule schedule;
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] of a kernel */
    cs_metric *metric;  /* [held] NULL: the unit one */
    double *x;          /* [own] of a state */
} cs_redo;

/* Makes a change of this arm, to it and to its blocks; of a kernel that was
 * reserved, or a state that was, it cannot fail for want of memory. */
cs_status cs_change_arm(cs_arm *a, const cs_change *c, const cs_redo *how,
                        cs_error *err);

/* The row of a parameter of the arm that may be changed. */
cs_status cs_arm_find(const cs_run *r, size_t arm, const char *param,
                      size_t *at, cs_error *err);

/* Does change number i of the journal once more. */
cs_status cs_change_replay(cs_run *r, size_t i, cs_error *err);
/* Room for a journal of n changes in all. */
cs_status cs_change_room(cs_run *r, size_t n, cs_error *err);
/* Strikes those from number `from` on, what lies ahead with them. */
void cs_change_forget(cs_run *r, size_t from);
/* Room for kernel `k`: cs_arm_set_kernel then cannot fail. */
cs_status cs_arm_reserve(cs_arm *a, const cs_kernel *k, cs_error *err);
/* Whether `k` can move the arm: its target, as many chains as it has. */
cs_status cs_arm_fits(const cs_run *r, const cs_arm *a, const cs_kernel *k,
                      cs_error *err);
void cs_arm_set_kernel(cs_arm *a, const cs_kernel *k, const cs_plan *plan);
/* The same; the arm then holds the plan as it is. */
void cs_arm_go_on(cs_arm *a, const cs_kernel *k, cs_held_plan *plan);
/* The metric [held] of its steps to come; NULL: the unit one. */
void cs_arm_set_metric(cs_arm *a, cs_metric *metric);
/* What a cs_redo holds and owns. */
void cs_redo_clear(cs_redo *how);
/* Before the arm's plan is changed: what is held is of the past. */
void cs_arm_part_plan(cs_arm *a);

/* The next line of a journal (journal.c): what was changed, which the caller
 * owns, or with *end its end. */
cs_status cs_journal_read(cs_run *r, const char **text, cs_change *c,
                          cs_redo *how, bool *end, cs_error *err);
/* Where the next line says what was kept (kept_text.h): true, its step, the rest of it
 * [borrowed], and *text is the line after it. */
bool cs_journal_kept(const char **text, uint64_t *step, const char **line);

/* Adds a change, of this or another run, behind all of the journal, as one of
 * arm number `arm`. What only a script knows of it is but a name then. */
cs_status cs_journal_copy_of(cs_run *r, size_t arm, const cs_change *c,
                             const cs_redo *how, cs_error *err);
/* Makes it here and now, as a change of arm number `arm`. */
cs_status cs_change_again(cs_run *r, size_t arm, const cs_change *c,
                          const cs_redo *how, cs_error *err);
