/* What went wrong in the chains of an arm: those that stopped, and the steps
 * that were refused though nothing but numbers was the matter. */
#pragma once

#include "base/page.h"
#include "run/run.h"

/* Counts over all chains, from the end of the warm-up on. */
typedef struct cs_trouble {
    size_t chains, stopped;
    double steps, divergent, not_finite;   /* see cs_tally */
    double trajectories, deep, acceptance; /* ... and its mean */
    /* The least of the chains' E-BFMI, the squared changes of the energy over
     * its squared deviations (Betancourt 2016, Eq. 3); NAN: of no chain. */
    double ebfmi;
} cs_trouble;

cs_trouble cs_trouble_of(const cs_run *run, size_t arm);

/* Fields of a JSON object: divergent, not_finite, deep, accept_stat and ebfmi
 * where there are trajectories, stopped [{chain, step, why}]. */
void cs_trouble_json(const cs_run *run, size_t arm, cs_page *p);
