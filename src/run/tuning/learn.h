/* Learns the parameters of an arm's target during the run. */
#pragma once

#include "run/arms/learner.h"
#include "run/arms/spec.h"

typedef struct cs_learns {
    cs_learner how; /* [held] */
    bool begun;
    double *memory; /* [words] progress; memory of the learner [own] */
    size_t words;
    double *scratch; /* [own] */
    double *x;       /* [chains][dim] [own] */
    bool *failed;    /* [chains] [own] */
    double *met;     /* [chains] rows from other ranks [own] */
    double seconds;
} cs_learns;

/* Creates the arm's own target and memory, if it has a learner. */
cs_status cs_learns_create(cs_run *r, cs_arm *a, const cs_learner *how,
                           cs_error *err);
void cs_learns_free(cs_arm *a);
/* Sets the initial parameters of the target, if the arm has a learner. Call
 * this after the starts of the arm's chains were set. */
void cs_learns_begin(cs_run *r, cs_arm *a);
/* Returns true while the parameters of the target change. */
bool cs_learns_now(const cs_arm *a);
/* cs_learns_updates returns the number of updates made so far. The second
 * function returns true while schedules count updates. */
uint64_t cs_learns_updates(const cs_arm *a);
bool cs_learns_by_update(const cs_arm *a);
/* Returns the number of steps before the next update. Returns UINT64_MAX if all
 * updates have been made or if the tuner is running. */
uint64_t cs_learns_left(const cs_arm *a);
/* Returns true if the next steps precede the first update of a cycle. */
bool cs_learns_unadjusted(const cs_arm *a);
/* Records that the chains have made `made` steps. If `tuned` is true, these are
 * steps of a tuner. If the tuner has now ended, the update is made at once. */
void cs_learns_settle(cs_run *r, cs_arm *a, uint64_t made, bool tuned);
/* Updates the target and the blocks after the learned values, the learner's
 * memory and the chains were restored. */
void cs_learns_restored(cs_arm *a);
/* Returns true if x is a valid value for word i of the memory. */
bool cs_learns_sound(const cs_arm *a, size_t i, double x);
/* Writes the learner's report. Returns false if the arm has no learner. */
bool cs_learns_report(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out);
cs_learner_view cs_learns_look(const cs_arm *a);
/* Returns the number of doubles stored for the target and the memory. */
double cs_learns_words(const cs_arm *a);
