/* Failures in the chains of an arm: chains that stopped, and steps that were
 * rejected because of their numbers. */
#pragma once

#include "base/page.h"
#include "run/arms/spec.h"

/* Counts over all chains, from the end of the warm-up. */
typedef struct cs_arm_failures {
    size_t chains, stopped;
    double steps, divergent, not_finite;   /* see cs_tally */
    double trajectories, deep, acceptance; /* and its mean */
    /* The smallest E-BFMI of a chain: squared changes of the energy divided by
     * its squared deviations (Betancourt 2016, Eq. 3); NAN: unknown for all
     * chains. */
    double ebfmi;
} cs_arm_failures;

cs_arm_failures cs_arm_failures_of(const cs_run *run, size_t arm);

/* Writes fields of a JSON object: divergent, not_finite; deep, accept_stat and
 * ebfmi if there are trajectories; stopped [{chain, step, why}]. */
void cs_arm_failures_json(const cs_run *run, size_t arm, cs_page *p);
