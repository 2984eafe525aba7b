/* Reading diagnosed draws back from files that have all of them
 * (run/draws/diagnosed.h). */
#pragma once

#include "run/arms/spec.h"

/* From now on diagnoses all draws, one per `thin` steps, within 512 MiB,
 * instead of 4096 to 8192 per chain. */
void cs_run_judge_all(cs_run *r, uint64_t thin);

/* Reads the diagnosed draws of a saved run back from its files; call after
 * cs_run_judge_all. cs_run_recall returns the number of draws missing per chain
 * of an arm, 0: none. Then pass row i, from 0, of what the sink received of a
 * chain. End it: if a chain had fewer rows without having stopped, all are
 * discarded. */
uint64_t cs_run_recall(cs_run *r, size_t arm);
void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row);
void cs_run_recalled(cs_run *r, size_t arm);
/* After a merge, where cs_run_recall returns 0: true if the draws of this
 * chain, from 0, must still be read back because its part left them in
 * files. */
bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain);
