/* Failures in the chains of an arm: stopped chains, and steps rejected because
 * their numbers are not finite. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Counts over all chains after the warm-up. */
typedef struct cs_arm_failures {
    size_t chains, stopped;
    double steps, divergent, not_finite; /* numbers of steps, as in cs_tally */
    /* acceptance: mean acceptance in trajectories */
    double trajectories, deep, acceptance;
    /* Smallest E-BFMI of any chain: mean squared change of the energy divided
     * by its variance (Betancourt 2016, Eq. 3); NAN: unknown for all chains. */
    double ebfmi;
} cs_arm_failures;

cs_arm_failures cs_arm_failures_of(const cs_run *run, size_t arm);

/* Writes fields of a JSON object: divergent and not_finite; deep, accept_stat
 * and ebfmi if there are trajectories; stopped: [{chain, step, why}]. */
void cs_arm_failures_json(const cs_run *run, size_t arm, cs_page *p);
