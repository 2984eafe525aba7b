/* Tunes an arm, and computes its parameter values for the next steps. */
#pragma once

#include "run/arms/spec.h"
#include "run/tuning/chain_reach.h"
#include "run/tuning/tuning_view.h"

/* Progress of a tuner. The remaining state follows from the results of its
 * trials. */
typedef struct cs_tuning_mark {
    bool active;
    size_t trials;
    uint64_t trial_steps;
    uint64_t warmup_steps; /* warm-up steps of the arm */
} cs_tuning_mark;

/* The tuner of an arm. Its actions depend only on the results of its trials, so
 * only the results are saved; `memory` and `trial` are recomputed from the
 * results. */
typedef struct cs_tuning {
    cs_tuner tuner;
    bool active;
    bool cut; /* the length was limited to spec->max_warmup */
    size_t n_results;
    uint64_t trial_steps; /* number of steps made in the present trial */
    /* [capacity] trials, including the present one [own] */
    cs_trial_view *row;
    /* [capacity][cs_tuner_results] results of past trials; if the run went back,
     * the results of later trials follow [own] */
    double *result;
    double *read;    /* [capacity][cs_tuner_results] results read from a file
                     [own] */
    size_t capacity; /* number of trials */
    cs_trial trial;  /* the present trial */
    void *memory, *spare; /* memory of the tuner; scratch copy of it [own] */
    double *state;        /* [slots][chains][words] stored states [own] */
    size_t words;         /* words per state of a chain */
    /* number of words at the end of `state` that hold moments (see
     * state_moments.h) */
    size_t n_moments;
    size_t moments_at[CS_TUNER_PARTS]; /* first of these words of each metric */
    double *x;     /* [row words] scratch for a row of one chain [own] */
    double *part;  /* [dim] scratch: the coordinates of a metric [own] */
    double *order; /* [chains] scratch [own] */
    bool *reached; /* [chains] chains within reach, used to learn [own] */
    cs_reach reach;
    double *met; /* [chains] rows from all ranks; NULL: there is only one
                    process [own] */
} cs_tuning;

cs_status cs_tuning_create(cs_run *r, cs_arm *a, const cs_tuner *tuner,
                           uint64_t warmup, uint64_t most, cs_error *err);
void cs_tuning_begin(cs_arm *a); /* called when the chains have started */
void cs_tuning_again(
    cs_arm *a); /* restarts an ended tuner from its first trial */
/* Informs the blocks whether the arm is in its warm-up. */
void cs_arm_tell_blocks(cs_arm *a);
/* Starts the draws. From now on, counts belong to the draws, not to the
 * warm-up. */
void cs_arm_begin_draws(cs_arm *a);
void cs_tuning_free(cs_arm *a);
cs_tuning_view cs_tuning_look(const cs_arm *a);
/* Returns the tuner's memory per chain, in words. */
double cs_tuning_words(const cs_run *r, const cs_arm *a);
/* Fills in the values of scheduled parameters for n steps of the arm from step
 * `first`. Does this also for the parameters that the tuner is trying. Returns
 * the number of steps filled: see cs_plan_fill. */
size_t cs_arm_fill(cs_arm *a, uint64_t first, size_t n);
/* Returns how many steps a chain makes before the arm's schedules start to
 * count (cs_arm_view_from): the maximum over all parameters. */
uint64_t cs_arm_cycle_from(const cs_arm *a);
uint64_t cs_tuning_left(const cs_arm *a); /* remaining steps of the trial */
/* Records that the chains have made `made` steps. At the end of a trial it
 * stores the trial's result. */
void cs_tuning_settle(cs_run *r, cs_arm *a, uint64_t made);
/* Sets the initial value of a tuned parameter before the first step. Returns
 * false if the parameter is not tuned, or after the first step. */
bool cs_tuning_start(cs_arm *a, size_t param, double value);
/* Ends the tuner after a change of a tuned parameter. For a change of the
 * kernel or of the metric, `param` is the kernel's number of parameters. */
void cs_tuning_change(cs_arm *a, size_t param);
/* Restores the tuner from a mark. Returns false if the mark is invalid. If
 * `results` is not NULL, only checks the mark. In this case it uses these
 * results instead of the tuner's own results. */
bool cs_tuning_place(cs_arm *a, const cs_tuning_mark *m, const double *results);
/* Return the number of doubles that a running tuner stores for the states of
 * all chains, and for the state of one chain. */
size_t cs_tuning_held(const cs_arm *a);
/* Returns the number of results of `trials` trials, in doubles. */
size_t cs_tuning_results(const cs_arm *a, size_t trials);
double *cs_tuning_slot(const cs_arm *a, size_t slot, size_t chain);
/* Returns the moments gathered in the present window of the warm-up. */
double *cs_tuning_moments(const cs_arm *a);
