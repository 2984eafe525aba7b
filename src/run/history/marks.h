/* Stored states of a run (marks), from which it can go back. */
#pragma once

#include "base/pack.h"
#include "run/tuning/tune.h"

/* The state of an arm at a past step, without its chains. */
typedef struct cs_arm_mark {
    cs_kernel kernel;
    /* plan and metric are [held] if this struct belongs to a cs_mark, otherwise
     * NULL; in a cs_mark, metric NULL is the unit metric */
    cs_held_plan *plan;
    cs_metric *metric;
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
    /* slabs of all blocks in order, then the learned values of targets and the
     * memory of running tuners [own] */
    cs_pack pack;
} cs_mark;

enum { CS_MARKS = 128 };

/* All marks of a run. */
typedef struct cs_marks {
    cs_mark mark[CS_MARKS]; /* [0 .. n) are in use, ascending by step */
    size_t n;
    bool begun; /* true after the first step or change; from then on marks are
                   stored */
    uint64_t bytes, limit;
    /* cost: seconds to store the last mark; since: seconds that have passed
     * since then */
    double cost, since;
} cs_marks;

/* Stores a mark of the present state, if memory allows. */
void cs_marks_take(cs_run *r);
/* Stores a mark of the start. Call it before the first step or change, so that
 * runs that are only viewed need no marks. */
void cs_marks_begin(cs_run *r);
bool cs_marks_due(const cs_marks *k);
cs_arm_mark cs_arm_mark_of(const cs_arm *a);

void cs_marks_forget(cs_marks *k); /* removes all marks */
void cs_marks_forget_before(cs_marks *k, uint64_t step);
void cs_marks_forget_after(cs_marks *k, uint64_t step);
