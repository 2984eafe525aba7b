/* The stored past of a run. */
#pragma once

#include "base/pack.h"
#include "run/tuning/tune.h"

/* An arm at one past step. */
typedef struct cs_arm_mark {
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] in a cs_mark, else NULL */
    cs_metric *metric;  /* likewise; NULL may also mean the unit metric */
    uint64_t steps;
    bool finished;
    cs_work work_loaded, observed_loaded;
    cs_tuning_mark tuning;
} cs_arm_mark;

typedef struct cs_mark {
    uint64_t step;
    size_t journal;
    size_t n_arms;
    cs_arm_mark *arm;    /* [n_arms] [own] */
    cs_block_work *work; /* [n_items] [own] */
    cs_pack pack;        /* every slab in order, then what the target has
                          * learned and the memory of running tuners [own] */
} cs_mark;

enum { CS_MARKS = 128 };

/* All stored marks. */
typedef struct cs_marks {
    cs_mark mark[CS_MARKS]; /* [0 .. n), ascending */
    size_t n;
    bool begun; /* the run has moved or changed: marks are stored */
    uint64_t bytes, limit;
    double cost, since; /* seconds: of the last mark, and since then */
} cs_marks;

void cs_marks_take(cs_run *r); /* stores the present, if memory allows */
/* Call before the first step or change: stores the start of the run.
 * A run that is only viewed needs no marks. */
void cs_marks_begin(cs_run *r);
bool cs_marks_due(const cs_marks *k);
cs_arm_mark cs_arm_mark_of(const cs_arm *a);

void cs_marks_forget(cs_marks *k); /* removes all */
void cs_marks_forget_before(cs_marks *k, uint64_t step);
void cs_marks_forget_after(cs_marks *k, uint64_t step);
