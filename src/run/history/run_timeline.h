/* The changes of a run, what lies ahead of it, and its branch. */
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

/* What a cs_redo holds and owns. */
void cs_redo_clear(cs_redo *how);

/* What lay ahead of a run that had gone back, when something was changed: the
 * changes alone, for they and the step make it again. */
typedef struct cs_branch {
    bool there;
    uint64_t from, end;
    cs_change *journal; /* [n] [own] */
    cs_redo *redo;      /* [n] [own], with what they own */
    size_t n;
    cs_memory_entry *memory; /* [n_memory] [own] what its events remembered */
    size_t n_memory;
} cs_branch;

/* The changes of a run in the order of their steps. */
typedef struct cs_timeline {
    cs_change *journal; /* [room] [own] */
    cs_redo *redo;      /* [room] [own], with what they own */
    size_t n, room;     /* [0 .. n) lie behind ... */
    size_t n_all;       /* ... and [n .. n_all) ahead */
    uint64_t end;       /* the farthest step there was */
    cs_branch branch;
    cs_restored *restored; /* wrappers that a text brought in [own] */
} cs_timeline;

/* Room for a journal of n changes in all. */
cs_status cs_change_room(cs_timeline *t, size_t n, cs_error *err);
/* Strikes those from number `from` on, what lies ahead with them. */
void cs_change_forget(cs_timeline *t, size_t from);
/* What lies ahead becomes the branch: something is changed here. */
void cs_future_part(cs_run *r);
void cs_branch_free(cs_timeline *t);
/* Nothing lies ahead any more. */
void cs_future_cut(cs_run *r);
