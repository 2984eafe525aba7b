/* The changes of a run, those ahead of its present step, and its other
 * branch. */
#pragma once

#include "chain/kernel_text.h"
#include "run/history/changes.h"
#include "run/history/remembered.h"

typedef enum cs_change_kind {
    CHANGED_VALUE,
    CHANGED_SCHEDULE,
    CHANGED_KERNEL,
    CHANGED_STATE,
    CHANGED_METRIC,
    CHANGED_RUN,      /* its budget, its workers: set on loading */
    CHANGED_BY_SCRIPT /* loaded; only a script knows the object */
} cs_change_kind;

/* What a replay needs besides the cs_change of the same number. */
typedef struct cs_redo {
    cs_change_kind kind;
    size_t param, chain;
    cs_schedule schedule;
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] for a kernel */
    cs_metric *metric;  /* [held] NULL: the unit metric */
    double *x;          /* [own] for a state */
} cs_redo;

/* Releases what a cs_redo holds and owns. */
void cs_redo_clear(cs_redo *how);

/* The future that a change after going back has replaced: only its changes,
 * because they and the step suffice to repeat it. */
typedef struct cs_branch {
    bool there;
    uint64_t from, end;
    cs_change *journal; /* [n] [own] */
    cs_redo *redo;      /* [n] [own], including what they own */
    size_t n;
    cs_memory_entry *memory; /* [n_memory] [own] kept by the script at its
                              * events */
    size_t n_memory;
} cs_branch;

/* The changes of a run in the order of their steps. */
typedef struct cs_timeline {
    cs_change *journal; /* [room] [own] */
    cs_redo *redo;      /* [room] [own], including what they own */
    size_t n, room;     /* [0 .. n) are in the past */
    size_t n_all;       /* [n .. n_all) are ahead */
    uint64_t end;       /* newest step of the run */
    cs_branch branch;
    cs_restored *restored; /* wrappers created from a text [own] */
} cs_timeline;

/* Reserves memory for a journal of n changes in total. */
cs_status cs_change_room(cs_timeline *t, size_t n, cs_error *err);
/* Removes the changes from number `from` on, including those ahead. */
void cs_change_forget(cs_timeline *t, size_t from);
/* Moves the changes ahead to the branch, before a change is made here. */
void cs_future_part(cs_run *r);
void cs_branch_free(cs_timeline *t);
/* Removes the changes ahead. */
void cs_future_cut(cs_run *r);
