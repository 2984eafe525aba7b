/* The learner of an arm at work. */
#pragma once

#include "run/run.h"

typedef struct cs_arm cs_arm;

typedef struct cs_learns {
    cs_learner how; /* [held] */
    bool begun;
    double *memory; /* [words] how far it is, then the learner's [own] */
    size_t words;
    double *scratch; /* [own] */
    double *x;       /* [chains][dim] [own] */
    bool *failed;    /* [chains] [own] */
    double *met;     /* [chains] the same from other ranks [own] */
    double seconds;
} cs_learns;

/* Gives the arm a target of its own, and memory, if it has a learner. */
cs_status cs_learns_create(cs_run *r, cs_arm *a, const cs_learner *how,
                           cs_error *err);
void cs_learns_free(cs_arm *a);
/* Its chains have been seated. */
void cs_learns_begin(cs_run *r, cs_arm *a);
/* Whether its numbers still change. */
bool cs_learns_now(const cs_arm *a);
/* Updates made; whether schedules count these now. */
uint64_t cs_learns_updates(const cs_arm *a);
bool cs_learns_by_update(const cs_arm *a);
/* Steps to the next update; UINT64_MAX: none, or the tuner is at work. */
uint64_t cs_learns_left(const cs_arm *a);
/* The coming steps are those of a cycle's first update. */
bool cs_learns_unadjusted(const cs_arm *a);
/* `made` more steps are done, `tuned` of them by a tuner that is through. */
void cs_learns_settle(cs_run *r, cs_arm *a, uint64_t made, bool tuned);
/* `learned` and the learner's memory were put back, as were the chains. */
void cs_learns_restored(cs_arm *a);
/* Whether word i of the memory may be x. */
bool cs_learns_sound(const cs_arm *a, size_t i, double x);
/* What the learner has to say; false: there is none. */
bool cs_learns_report(cs_run *r, cs_arm *a, const char *prefix, cs_flat *out);
cs_learner_view cs_learns_look(const cs_arm *a);
/* The doubles that are kept: of the target and of the memory. */
double cs_learns_words(const cs_arm *a);
