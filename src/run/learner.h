/* Learning the numbers of an arm's target while its chains move.
 *
 * Where an arm has a learner, its target is a copy of its own (cs_target_learner)
 * and every so many steps of all its chains the learner changes its numbers by
 * what it sees of their states: the chains persist, the target is another.
 * Until the last update nothing is a draw, as in a warm-up; behind it the
 * numbers rest, and draws begin. All on the owner's thread, with every chain at
 * the same step, so that nothing depends on blocks or workers; what is heavy a
 * learner shares out itself, in parts that do not depend on them either. */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "run/workers.h"
#include "target/target.h"

/* What a learner is shown of an arm. */
typedef struct cs_learning {
    const void *self;  /* the learner's */
    cs_target *target; /* the arm's own, whose `learned` it may change: the run
                           then has the model make the rest of it anew */
    uint64_t seed;     /* of the run: arms learn from the same data */
    uint64_t update;   /* this one, from 1; 0: they begin, or it is a report */
    uint64_t updates;  /* in all */
    size_t chains;
    double *x;          /* [chains][dim] where they stand */
    const bool *failed; /* [chains] these stand nowhere */
    bool *placed;       /* out: x was changed, the chains go on from there */
    double *memory;     /* [words] 0 before they begin; kept in marks and
                           checkpoints */
    double *scratch;    /* [scratch_words] */
    cs_pool *pool;      /* to share work out */
} cs_learning;

typedef struct cs_learner_type {
    /* Holders of `self`, which no run changes. */
    void (*hold)(void *self);
    void (*release)(void *self);
    /* Whether it can learn this target, which has a model, by so many chains. */
    cs_status (*fits)(const void *self, const cs_target *t, size_t chains,
                      cs_error *err);
    /* Doubles, of a target that learns. */
    size_t (*words)(const void *self, const cs_target *t, size_t chains);
    size_t (*scratch_words)(const void *self, const cs_target *t,
                            size_t chains);
    /* Whether x may be word i of the memory: a file says so. */
    bool (*sound)(const void *self, const cs_target *t, size_t i, double x);
    /* Sets the first numbers, and perhaps where chains begin. */
    void (*begin)(const cs_learning *l);
    void (*update)(const cs_learning *l);
    /* What there is to say, under keys that start with `prefix`. x is NULL. */
    void (*report)(const cs_learning *l, const char *prefix, cs_flat *out);
    /* What it is made of, in the form of base/parts.h. */
    void (*parts)(const void *self, cs_page *p);
} cs_learner_type;

/* A learner as an arm has it. */
typedef struct cs_learner {
    const cs_learner_type *type; /* NULL: none */
    void *self;
    uint64_t steps;   /* of every chain between two updates, at least 1 */
    uint64_t updates; /* that it makes, at least 1 */
    /* A cycle of so many updates, 0: none. Before the first of each the chains
     * make `first` steps in place of `steps`, without their accept step. */
    uint64_t cycle, first;
    uint64_t retune; /* the arm's tuner begins again each so many updates, in
                         place of the steps; 0: it is at work once */
    bool by_update;  /* schedules of the arm count updates while it learns, from
                         0, and not steps */
} cs_learner;

/* Where an arm is with it. */
typedef struct cs_learner_view {
    bool there, active;
    uint64_t update, updates; /* made, and in all */
    double seconds;      /* of CPU that this program has spent in updates ... */
    double step_seconds; /* ... and in steps of those chains */
} cs_learner_view;
