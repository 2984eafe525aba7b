/* Learning the parameters of an arm's target while its chains move.
 *
 * An arm with a learner has its own copy of the target (cs_target_learner).
 * Every `steps` steps of all its chains, the learner changes the copy's
 * parameters, using the states of the chains: the chains persist while the
 * target changes. There are no draws until the last update, as in a warm-up;
 * afterwards the parameters are fixed, and draws begin. Updates run on the
 * owner's thread with every chain at the same step, so the results do not
 * depend on blocks or workers. A learner shares out heavy work itself, in
 * pieces that do not depend on them either. */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "run/arms/workers.h"
#include "target/target.h"

/* What a learner sees of an arm. */
typedef struct cs_learning {
    const void *self;  /* the learner */
    cs_target *target; /* the arm's own; an update may change its `learned`,
                        * and the run then makes the model compute the rest
                        * again */
    uint64_t seed;     /* of the run: arms learn from the same data */
    uint64_t update;   /* this update, from 1; 0: begin or report */
    uint64_t updates;  /* total */
    size_t chains;
    double *x;          /* [chains][dim] states */
    const bool *failed; /* [chains] chains without a state */
    bool *placed;       /* out: x was changed, and chains continue from there */
    double *memory;     /* [words] 0 before `begin`; stored in marks and
                         * checkpoints */
    double *scratch;    /* [scratch_words] */
    cs_pool *pool;      /* shares out work */
} cs_learning;

typedef struct cs_learner_type {
    /* Holds `self`, which no run changes. */
    void (*hold)(void *self);
    void (*release)(void *self);
    /* Checks that it can learn this target, which has a model, with this number
     * of chains. */
    cs_status (*fits)(const void *self, const cs_target *t, size_t chains,
                      cs_error *err);
    /* Returns the number of doubles of memory for a target that learns. */
    size_t (*words)(const void *self, const cs_target *t, size_t chains);
    size_t (*scratch_words)(const void *self, const cs_target *t,
                            size_t chains);
    /* True if x is a valid word i of the memory, as read from a file. */
    bool (*sound)(const void *self, const cs_target *t, size_t i, double x);
    /* Sets the initial parameters, and optionally the starts of the chains. */
    void (*begin)(const cs_learning *l);
    void (*update)(const cs_learning *l);
    /* Reports under keys that start with `prefix`. x is NULL. */
    void (*report)(const cs_learning *l, const char *prefix, cs_flat *out);
    /* Writes its fingerprint in the form of base/parts.h. */
    void (*parts)(const void *self, cs_page *p);
} cs_learner_type;

/* The learner of an arm. */
typedef struct cs_learner {
    const cs_learner_type *type; /* NULL: none */
    void *self;
    uint64_t steps;   /* per chain between two updates, at least 1 */
    uint64_t updates; /* total, at least 1 */
    /* Length of a cycle in updates; 0: none. Before the first update of each
     * cycle the chains make `first` steps instead of `steps`, without their
     * accept step. */
    uint64_t cycle, first;
    uint64_t retune; /* the arm's tuner starts again every `retune` updates,
                      * and its steps replace `steps`; 0: it runs once */
    bool by_update;  /* schedules of the arm count updates from 0 while it
                      * learns, not steps */
} cs_learner;

/* Progress of an arm's learner. */
typedef struct cs_learner_view {
    bool there, active;
    uint64_t update, updates; /* made, and total */
    double seconds;           /* CPU time of this process in updates */
    double step_seconds;      /* CPU time in the steps of the chains */
} cs_learner_view;
