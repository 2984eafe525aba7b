/* The kept past of a run, and its branch. */
#pragma once

#include "base/pack.h"
#include "run/change.h"
#include "run/remembered.h"

/* The past at one step. */
typedef struct cs_arm_mark {
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] by those in a cs_mark, else NULL */
    cs_metric *metric;  /* likewise; NULL also: the unit one */
    uint64_t steps, warmup_steps;
    bool finished;
    cs_work work_loaded, observed_loaded;
    bool tuning; /* and how far */
    size_t trials;
    uint64_t trial_steps;
} cs_arm_mark;

typedef struct cs_mark {
    uint64_t step;
    size_t journal;
    cs_arm_mark *arm;    /* [n_arms] [own] */
    cs_block_work *work; /* [n_items] [own] */
    cs_pack pack;        /* every slab, one after the other, then what the
                       target has learned and what tuners at work have
                       remembered [own] */
} cs_mark;

enum { CS_MARKS = 128 };

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

void cs_marks_take(cs_run *r); /* keeps the present, if there is memory */
/* Before the first step or change: where the run began is kept from here on.
 * A run that is only looked at does without. */
void cs_marks_begin(cs_run *r);
bool cs_marks_due(const cs_run *r);
cs_arm_mark cs_arm_mark_of(const cs_arm *a);
void cs_marks_forget(cs_run *r); /* all */
void cs_marks_forget_before(cs_run *r, uint64_t step);
/* What lies ahead becomes the branch: something is changed here. */
void cs_future_part(cs_run *r);
void cs_branch_free(cs_run *r);
