/* The state of an arm's tuner, for display. */
#pragma once

#include "tune/tuner.h"

/* A trial of a tuner. */
typedef struct cs_trial_view {
    double value[CS_TUNER_DRIVEN];
    double acceptance; /* NAN: no accept step, or trial not over */
    uint64_t steps;
    size_t phase;
    bool taken; /* true if this was the best trial of its round */
} cs_trial_view;

/* The tuner of an arm. Its steps are the first steps of the arm. Probes, draws
 * and schedules begin after them. */
typedef struct cs_tuning_view {
    const cs_tuner *tuner; /* NULL: no tuner */
    bool active;           /* true if the tuner is still running */
    bool cut;              /* true if the number of steps was limited to
                              max_warmup of the run's spec */
    double part;    /* number of completed steps divided by the maximum number
                       of steps; 1: the tuner has ended */
    uint64_t steps; /* number of steps made */
    const cs_trial_view *trial; /* [n_trials] [borrowed] */
    size_t n_trials;
} cs_tuning_view;
