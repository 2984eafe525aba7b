/* The tuning of an arm, and the values of parameters in the next steps. */
#pragma once

#include "run/arms/spec.h"
#include "run/tuning/chain_reach.h"
#include "run/tuning/tuning_view.h"

/* Progress of a tuner; the rest follows from the results of its trials. */
typedef struct cs_tuning_mark {
    bool active;
    size_t trials;
    uint64_t trial_steps;
    uint64_t warmup_steps; /* of the arm */
} cs_tuning_mark;

/* The tuner of an arm. Its actions follow from the results of its trials, so
 * only these are saved, and `memory` and `trial` are recomputed from them. */
typedef struct cs_tuning {
    cs_tuner tuner;
    bool active;
    bool cut; /* limited to spec->most_warmup */
    size_t n_results;
    uint64_t trial_steps; /* made in the present trial */
    cs_trial_view *row;   /* [room] the trials, including the present one
                           * [own] */
    double *result; /* [room] results of the trials, then, after the run has
                     * gone back, of those ahead [own] */
    double *read;   /* [room] results being read [own] */
    size_t room;
    cs_trial trial;       /* the present trial */
    void *memory, *spare; /* of the type, and a copy for experiments [own] */
    double *state;        /* [slots][chains][words] stored [own] */
    size_t words;         /* of the state of a chain */
    size_t n_moments;     /* words after those in `state`: state_moments.h */
    double *x;            /* [4 + dim] scratch for a row of a chain [own] */
    double *order;        /* [chains] scratch [own] */
    bool *reached;        /* [chains] used for learning [own] */
    cs_reach reach;
    double *met; /* [chains] rows from all ranks; NULL: one process [own] */
} cs_tuning;

cs_status cs_tuning_create(cs_run *r, cs_arm *a, const cs_tuner *tuner,
                           uint64_t warmup, uint64_t most, cs_error *err);
void cs_tuning_begin(cs_arm *a); /* its chains have started */
void cs_tuning_again(
    cs_arm *a); /* restarts an ended tuner at its first trial */
/* Notifies the blocks of the arm's phase. */
void cs_arm_tell_blocks(cs_arm *a);
/* Starts the draws: later counts belong to them. */
void cs_arm_begin_draws(cs_arm *a);
void cs_tuning_free(cs_arm *a);
cs_tuning_view cs_tuning_look(const cs_arm *a);
double cs_tuning_words(const cs_run *r, const cs_arm *a); /* per chain */
/* Fills the values of driven parameters, and those that the tuner tries, for n
 * steps of the arm from `first`; returns how many steps: see cs_plan_fill. */
size_t cs_arm_fill(cs_arm *a, uint64_t first, size_t n);
/* Returns the number of steps of the chain before the first by which its
 * schedules count (cs_arm_view_from), the maximum over the parameters. */
uint64_t cs_arm_cycle_from(const cs_arm *a);
uint64_t cs_tuning_left(const cs_arm *a); /* in steps of the trial */
/* Records that `made` steps were done; at its end the trial has a result. */
void cs_tuning_settle(cs_run *r, cs_arm *a, uint64_t made);
/* Sets the initial value of a tuned parameter before the first step; false: it
 * is not tuned, or too late. */
bool cs_tuning_start(cs_arm *a, size_t param, double value);
/* Ends the tuner after a change of a tuned parameter, or of the kernel (param:
 * no row). */
void cs_tuning_change(cs_arm *a, size_t param);
/* Restores the tuner at the mark. False: the mark is invalid. With `results`
 * instead of its own it only checks. */
bool cs_tuning_place(cs_arm *a, const cs_tuning_mark *m, const double *results);
/* Returns the doubles of states that a running tuner stores for all chains; the
 * second function those of one chain. */
size_t cs_tuning_held(const cs_arm *a);
double *cs_tuning_slot(const cs_arm *a, size_t slot, size_t chain);
/* Returns the moments gathered in the present window. */
double *cs_tuning_moments(const cs_arm *a);
