/* The kept past of a run. */
#pragma once

#include "base/pack.h"
#include "run/tuning/tune.h"

/* The past at one step. */
typedef struct cs_arm_mark {
    cs_kernel kernel;
    cs_held_plan *plan; /* [held] by those in a cs_mark, else NULL */
    cs_metric *metric;  /* likewise; NULL also: the unit one */
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
    cs_pack pack;        /* every slab, one after the other, then what the
                       target has learned and what tuners at work have
                       remembered [own] */
} cs_mark;

enum { CS_MARKS = 128 };

/* The past that is kept. */
typedef struct cs_marks {
    cs_mark mark[CS_MARKS]; /* [0 .. n), ascending */
    size_t n;
    bool begun; /* the run has moved or changed: they are kept from there on */
    uint64_t bytes, limit;
    double cost, since; /* seconds: of the last one, and from it to now */
} cs_marks;

void cs_marks_take(cs_run *r); /* keeps the present, if there is memory */
/* Before the first step or change: where the run began is kept from here on.
 * A run that is only looked at does without. */
void cs_marks_begin(cs_run *r);
bool cs_marks_due(const cs_marks *k);
cs_arm_mark cs_arm_mark_of(const cs_arm *a);

void cs_marks_forget(cs_marks *k); /* all */
void cs_marks_forget_before(cs_marks *k, uint64_t step);
void cs_marks_forget_after(cs_marks *k, uint64_t step);
