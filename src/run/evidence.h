/* Looks for causes by evaluations of the target at the end of a run, where the
 * chains stand: a log density that changes, a gradient by hand that is wrong,
 * edges of the density, lines along which it does not fall, trajectories that come
 * back, correlations that a metric ignores. */
#pragma once

#include "run/run.h"
#include "warn/facts.h"

/* Fills f->evidence from what is known of the arm by then (counts, worst). It
 * counts as no work and changes no chain; nothing for draws read from files. */
void cs_find_evidence(cs_run *run, size_t arm, cs_warn_facts *f);

/* evidence_paths.c: trajectories that come back in the scalar `worst` (1: the first
 * coordinate that is shown) whose mean is `mean`. */
void cs_find_returns(cs_run *run, size_t arm, size_t worst, double mean,
                     cs_evidence *e);
/* The largest correlation between what is shown of the kept draws. */
void cs_find_correlation(cs_run *run, size_t arm, cs_evidence *e);
