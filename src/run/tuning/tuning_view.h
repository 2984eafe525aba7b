/* The visible state of an arm's tuner. */
#pragma once

#include "tune/tuner.h"

/* A trial of a tuner. */
typedef struct cs_trial_view {
    double value[CS_TUNER_DRIVEN];
    double acceptance; /* NAN: no accept step, or not over yet */
    uint64_t steps;
    size_t phase;
    bool taken; /* the best of its round */
} cs_trial_view;

/* The tuner of an arm. Its steps come first and count as the arm's; probes and
 * draws begin after them, and schedules count from there. */
typedef struct cs_tuning_view {
    const cs_tuner *tuner;      /* NULL: no tuner */
    bool active;                /* still running */
    bool cut;                   /* limited to most_warmup of the run's spec */
    double part;                /* fraction of its maximum steps; 1: it ended */
    uint64_t steps;             /* made */
    const cs_trial_view *trial; /* [n_trials] [borrowed] */
    size_t n_trials;
} cs_tuning_view;
