/* The decision about a swap of neighbouring rungs, and where a ladder stores
 * the rows of its rungs: for the kernels and for previews of a step. */
#pragma once

#include "kernel/kernel.h"
#include "kernel/step_trace.h"

/* Decides whether the colder, i, and the hotter of two neighbours swap, and
 * fills the terms of the decision; the chain numbers are not filled. */
typedef cs_swap_note cs_rung_trial(const cs_exchange *m, size_t i);
cs_rung_trial cs_parallel_trial, cs_replica_trial;

/* Returns the row of a chain's memory where its rung's rows start (rungs.h). */
typedef size_t cs_rung_first(const cs_exchange *m);
cs_rung_first cs_parallel_first, cs_replica_first;

/* The ladder of a kernel; NULL for a kernel without swaps. */
typedef struct cs_ladder {
    const char *kernel;
    bool within; /* each chain changes its own temperature in its steps */
    cs_rung_trial *trial;
    cs_rung_first *first;
} cs_ladder;

/* Returns the ladder for the name of a kernel or of a wrapper. */
const cs_ladder *cs_ladder_find(const char *name);

/* Fills the step trace with the pairs that try after m->step. */
void cs_ladder_tell(const cs_ladder *l, const cs_exchange *m, size_t rungs,
                    uint64_t period, cs_step_trace *to);
