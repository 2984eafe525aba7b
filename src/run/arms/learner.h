/* Learning of the parameters of an arm's target while its chains move.
 *
 * An arm with a learner has its own copy of the target (cs_target_learner).
 * After every `steps` steps of all its chains, the learner changes the
 * parameters of the copy, based on the states of the chains. The chains
 * continue from their states although the target changes. As in a warm-up, no
 * draws are recorded until the last update; then the parameters are fixed and
 * the draws begin. Updates run on the owner's thread when every chain is at the
 * same step, so the results do not depend on blocks or workers. A learner
 * divides heavy computations into jobs that do not depend on blocks or workers
 * either. */
#pragma once

#include "base/flat.h"
#include "base/page.h"
#include "run/arms/workers.h"
#include "target/target.h"

/* The input and output of a learner. */
typedef struct cs_learning {
    const void *self; /* the learner */
    /* the arm's copy; an update may change its `learned` values, and the run
     * then calls the model to recompute the values derived from them */
    cs_target *target;
    /* seed of the run; it is the same for all arms, so they learn from the same
     * data */
    uint64_t seed;
    uint64_t update;  /* number of this update, from 1; 0 in calls of begin and
                         report */
    uint64_t updates; /* total number of updates */
    size_t chains;
    double *x;          /* [chains][dim] states */
    const bool *failed; /* [chains] chains that have failed */
    bool *placed;       /* output: true if x was changed; the chains then
                           continue from x */
    /* [words] zero before `begin`; saved in marks and checkpoints */
    double *memory;
    double *scratch; /* [scratch_words] */
    cs_pool *pool;   /* pool of threads for heavy computations */
} cs_learning;

typedef struct cs_learner_type {
    /* Adds a reference to `self`, which a run never changes. */
    void (*hold)(void *self);
    void (*release)(void *self);
    /* Checks that the learner supports this target, which must have a model,
     * with this number of chains. */
    cs_status (*fits)(const void *self, const cs_target *t, size_t chains,
                      cs_error *err);
    /* Returns the number of doubles of memory needed for the target. */
    size_t (*words)(const void *self, const cs_target *t, size_t chains);
    size_t (*scratch_words)(const void *self, const cs_target *t,
                            size_t chains);
    /* Returns true if x, read from a file, is valid for word i of the
     * memory. */
    bool (*sound)(const void *self, const cs_target *t, size_t i, double x);
    /* Sets the initial parameters. May also set the starts of the chains. */
    void (*begin)(const cs_learning *l);
    void (*update)(const cs_learning *l);
    /* Writes a report with the key prefix `prefix`. x is NULL. */
    void (*report)(const cs_learning *l, const char *prefix, cs_flat *out);
    /* Writes the learner's fingerprint in the format of data/parts.h. */
    void (*parts)(const void *self, cs_page *p);
} cs_learner_type;

/* The learner of an arm. */
typedef struct cs_learner {
    const cs_learner_type *type; /* NULL: no learner */
    void *self;
    uint64_t steps;   /* steps per chain between two updates, at least 1 */
    uint64_t updates; /* total number of updates, at least 1 */
    /* Length of a cycle in updates; 0: no cycles. Before the first update of
     * each cycle the chains make `first` steps without an accept step, instead
     * of `steps` steps. */
    uint64_t cycle, first;
    /* number of updates after which the arm's tuner runs again; during such a
     * run the chains make the tuner's steps instead of `steps` steps; 0: the
     * tuner runs once */
    uint64_t retune;
    /* while the arm learns, its schedules count updates from 0 instead of
     * steps */
    bool by_update;
} cs_learner;

/* Progress of an arm's learner. */
typedef struct cs_learner_view {
    bool there, active;
    uint64_t update, updates; /* number of updates so far, and in total */
    double seconds;           /* CPU time of the updates in this process */
    double step_seconds;      /* CPU time of the steps of the chains */
} cs_learner_view;
