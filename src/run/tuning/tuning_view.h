/* What is seen of the tuner of an arm. */
#pragma once

#include "tune/tuner.h"

/* A trial of a tuner. */
typedef struct cs_trial_view {
    double value[CS_TUNER_DRIVEN];
    double acceptance; /* NAN: without accept step, or not over yet */
    uint64_t steps;
    size_t phase;
    bool taken; /* it was the best of its round */
} cs_trial_view;

/* The tuner of an arm. Its steps come first and count as the arm's; probes and
 * draws begin after them, and schedules count from there. */
typedef struct cs_tuning_view {
    const cs_tuner *tuner; /* NULL: the arm has none */
    bool active;           /* it is still at work */
    bool cut;              /* to most_warmup of the run's spec */
    double part;           /* of its steps at most that are made, 1: it ended */
    uint64_t steps;        /* made */
    const cs_trial_view *trial; /* [n_trials] [borrowed] */
    size_t n_trials;
} cs_tuning_view;
