/* The tuner of an arm at work, and the values of parameters in the coming
 * steps. */
#pragma once

#include "run/reach.h"
#include "run/run.h"

typedef struct cs_arm cs_arm;
typedef struct cs_arm_mark cs_arm_mark;

/* The tuner of an arm. What it does next follows from the results of its
 * trials: they alone are saved, `memory` and `trial` are replayed from them. */
typedef struct cs_tuning {
    cs_tuner tuner;
    bool active;
    bool cut; /* to spec->most_warmup */
    size_t n_results;
    uint64_t trial_steps; /* made of the trial under way */
    cs_trial_view *row;   /* [room] the trials, the one under way too [own] */
    double *result; /* [room] of the trials; behind them, after the run has
                             gone back, those that lie ahead [own] */
    double *read;   /* [room] results on their way in [own] */
    size_t room;
    cs_trial trial;       /* under way */
    void *memory, *spare; /* the type's, and another to try out [own] */
    double *state;        /* [slots][chains][words] remembered [own] */
    size_t words;         /* of the state of a chain */
    size_t n_moments;     /* words behind those in `state`: run/moments.h */
    double *x;            /* [4 + dim] room for a row of a chain [own] */
    double *order;        /* [chains] room [own] */
    bool *reached;        /* [chains] something is learned of them [own] */
    cs_reach reach;
    double *met; /* [chains] rows of all, from their ranks; NULL: alone [own] */
} cs_tuning;

cs_status cs_tuning_create(cs_run *r, cs_arm *a, const cs_tuner *tuner,
                           uint64_t warmup, uint64_t most, cs_error *err);
void cs_tuning_begin(cs_arm *a); /* its chains have started */
void cs_tuning_again(cs_arm *a); /* from its first trial, after it has ended */
/* Tells the blocks what phase the arm is in. */
void cs_arm_tell_blocks(cs_arm *a);
/* What is counted from now on is of draws. */
void cs_arm_begin_draws(cs_arm *a);
void cs_tuning_free(cs_arm *a);
cs_tuning_view cs_tuning_look(const cs_arm *a);
double cs_tuning_words(const cs_run *r, const cs_arm *a); /* a chain's */
/* The values of driven parameters at n steps of the arm from `first` on, what
 * its tuner tries with them; how many there are, see cs_plan_fill. */
size_t cs_arm_fill(cs_arm *a, uint64_t first, size_t n);
/* How many steps of the chain are before the first by which its schedules count
 * (cs_arm_view_from), the most of all parameters. */
uint64_t cs_arm_cycle_from(const cs_arm *a);
uint64_t cs_tuning_left(const cs_arm *a); /* steps of the trial */
/* `made` more steps are done: at its end the trial has a result. */
void cs_tuning_settle(cs_run *r, cs_arm *a, uint64_t made);
/* Before the first step a value of what is tuned is where the tuner starts;
 * false: it is not tuned, or too late. */
bool cs_tuning_start(cs_arm *a, size_t param, double value);
/* A change to what is tuned, or to the kernel (param of no row), ends it. */
void cs_tuning_change(cs_arm *a, size_t param);
/* Puts the tuner where it was at the mark. False: it cannot have been there.
 * With `results` instead of its own ones it only looks. */
bool cs_tuning_place(cs_arm *a, const cs_arm_mark *m, const double *results);
/* The doubles of states that a tuner at work remembers, of all chains; those of
 * one chain. */
size_t cs_tuning_held(const cs_arm *a);
double *cs_tuning_slot(const cs_arm *a, size_t slot, size_t chain);
/* What has been gathered in the window under way. */
double *cs_tuning_moments(const cs_arm *a);
/* Blocks whose target has changed evaluate their states anew. */
void cs_run_follow_target(cs_run *r);
/* `learned` was put back with the chains' own memory of it. */
void cs_run_learned(cs_run *r);
