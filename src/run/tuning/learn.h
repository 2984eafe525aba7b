/* The learning of an arm. */
#pragma once

#include "run/arms/learner.h"
#include "run/arms/spec.h"

typedef struct cs_learns {
    cs_learner how; /* [held] */
    bool begun;
    double *memory; /* [words] progress, then the learner's memory [own] */
    size_t words;
    double *scratch; /* [own] */
    double *x;       /* [chains][dim] [own] */
    bool *failed;    /* [chains] [own] */
    double *met;     /* [chains] rows from other ranks [own] */
    double seconds;
} cs_learns;

/* Gives the arm its own target and memory, if it has a learner. */
cs_status cs_learns_create(cs_run *r, cs_arm *a, const cs_learner *how,
                           cs_error *err);
void cs_learns_free(cs_arm *a);
/* Call when its chains have their starts. */
void cs_learns_begin(cs_run *r, cs_arm *a);
/* True while its parameters change. */
bool cs_learns_now(const cs_arm *a);
/* Returns the updates made; the second function: true while schedules count
 * updates. */
uint64_t cs_learns_updates(const cs_arm *a);
bool cs_learns_by_update(const cs_arm *a);
/* Returns the steps to the next update; UINT64_MAX: none, or the tuner is
 * running. */
uint64_t cs_learns_left(const cs_arm *a);
/* True if the next steps precede a cycle's first update. */
bool cs_learns_unadjusted(const cs_arm *a);
/* Records that `made` steps were done, `tuned` of them by a tuner that has
 * ended. */
void cs_learns_settle(cs_run *r, cs_arm *a, uint64_t made, bool tuned);
/* Call after `learned`, the learner's memory and the chains were restored. */
void cs_learns_restored(cs_arm *a);
/* True if x is valid as word i of the memory. */
bool cs_learns_sound(const cs_arm *a, size_t i, double x);
/* Writes the learner's report; false: no learner. */
bool cs_learns_report(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out);
cs_learner_view cs_learns_look(const cs_arm *a);
/* Returns the doubles that are stored for the target and the memory. */
double cs_learns_words(const cs_arm *a);
