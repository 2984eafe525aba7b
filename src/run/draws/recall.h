/* The draws behind the figures, where files have all of them (run/draws/judged.h). */
#pragma once

#include "run/arms/spec.h"

/* From now on the draws behind the diagnostics are all that are made, each
 * `thin` steps, as far as 512 MiB go; not 4096 to 8192 a chain. */
void cs_run_judge_all(cs_run *r, uint64_t thin);

/* Those of a run that was saved beside its files, read back from them, after
 * cs_run_judge_all. How many of each chain of an arm are wanting, 0: none; then
 * row i, from 0, of what the sink was given of a chain. End it: chains that had
 * fewer without having stopped give all up. */
uint64_t cs_run_recall(cs_run *r, size_t arm);
void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row);
void cs_run_recalled(cs_run *r, size_t arm);
/* After a merge, where cs_run_recall wants none: whether those of this chain,
 * from 0, are to be read back all the same, for its part left them to files. */
bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain);
