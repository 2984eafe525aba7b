/* The changes of a run: past changes, later changes (if the run went back), and
 * the changes of the branch that the run has left. */
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
    CHANGED_RUN, /* change of the budget or of the workers; applied when the run
                    is loaded */
    /* change that was read from a file; its new value can be created only by a
     * script */
    CHANGED_BY_SCRIPT
} cs_change_kind;

/* Data needed to repeat the cs_change of the same index. */
typedef struct cs_redo {
    cs_change_kind kind;
    size_t param, chain;
    cs_schedule schedule;
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] a new kernel */
    cs_metric *metric;  /* [held] NULL: the unit metric */
    double *x;          /* [own] a new state */
} cs_redo;

/* Releases the objects that a cs_redo holds or owns. */
void cs_redo_clear(cs_redo *how);

/* The later steps of a run that went back, if a change has replaced these
 * steps. Only their changes are stored; the steps can be repeated from the
 * changes. */
typedef struct cs_branch {
    bool there;
    uint64_t from, end;
    cs_change *journal; /* [n] [own] */
    cs_redo *redo;      /* [n] [own], with their objects */
    size_t n;
    cs_memory_entry *memory; /* [n_memory] [own] values kept by the script */
    size_t n_memory;
} cs_branch;

/* The changes of a run, in the order of their steps. */
typedef struct cs_timeline {
    cs_change *journal; /* [capacity] [own] */
    cs_redo *redo;      /* [capacity] [own], with their objects */
    size_t n, capacity; /* past changes [0 .. n); capacity */
    size_t n_all;       /* later changes [n .. n_all) */
    uint64_t end;       /* newest step of the run */
    cs_branch branch;
    cs_restored *restored; /* wrapper objects created from a text [own] */
} cs_timeline;

/* Reserves memory for n changes in total. */
cs_status cs_change_room(cs_timeline *t, size_t n, cs_error *err);
/* Removes the changes with number `from` and higher, including later changes of
 * a run that went back. */
void cs_change_forget(cs_timeline *t, size_t from);
/* Moves the changes after the present step to the branch. Called before a
 * change is made at an earlier step. */
void cs_future_part(cs_run *r);
void cs_branch_free(cs_timeline *t);
/* Removes the later changes. */
void cs_future_cut(cs_run *r);
