/* Searches for causes of bad draws by evaluating the target near the chains at
 * the end of a run. Possible causes are a log density that changes between
 * calls, a wrong analytic gradient, states with density zero, lines along which
 * the density does not decrease, trajectories that return to their start, and
 * correlations that the metric ignores. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

/* Fills in f->evidence. Reads the facts about the arm that were found before
 * (counts, worst). The evaluations are not counted as work and change no chain.
 * Does nothing for draws read from files. */
void cs_find_evidence(cs_run *run, size_t arm, cs_warn_facts *f);

/* Finds trajectories that return to their start, as seen in the scalar `worst`
 * (1: the first quantity). The mean of this scalar is `mean`.
 * (find_evidence_paths.c) */
void cs_find_returns(cs_run *run, size_t arm, size_t worst, double mean,
                     cs_evidence *e);
/* Finds the largest correlation between quantities of the kept draws. */
void cs_find_correlation(cs_run *run, size_t arm, cs_evidence *e);
