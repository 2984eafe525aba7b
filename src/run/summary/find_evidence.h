/* Searches for causes of bad draws by evaluating the target near the chains at
 * the end of a run: a log density that changes between calls, a wrong
 * hand-written gradient, edges of the density, lines along which it does not
 * decrease, trajectories that return, correlations that a metric ignores. */
#pragma once

#include "run/arms/spec.h"
#include "warn/arm_facts.h"

/* Fills f->evidence, using the facts already found about the arm (counts,
 * worst). Counts as no work and changes no chain; does nothing for draws read
 * from files. */
void cs_find_evidence(cs_run *run, size_t arm, cs_warn_facts *f);

/* Finds trajectories that return in the scalar `worst` (1: the first quantity)
 * with mean `mean`. (find_evidence_paths.c) */
void cs_find_returns(cs_run *run, size_t arm, size_t worst, double mean,
                     cs_evidence *e);
/* Finds the largest correlation between quantities of the kept draws. */
void cs_find_correlation(cs_run *run, size_t arm, cs_evidence *e);
