/* Decides swaps of neighbouring rungs, and finds the rows of a rung in a
 * chain's memory. Used by the kernels and by previews of a step. */
#pragma once

#include "kernel/kernel.h"
#include "kernel/step_trace.h"

/* Decides whether two neighbouring chains swap: chain i, which is colder, and
 * chain i + 1. Fills the terms of the decision, but not the chain numbers. */
typedef cs_swap_note cs_rung_trial(const cs_exchange *m, size_t i);
cs_rung_trial cs_parallel_trial, cs_replica_trial;

/* Returns the row of a chain's memory where the rows of its rung start
 * (rungs.h). */
typedef size_t cs_rung_first(const cs_exchange *m);
cs_rung_first cs_parallel_first, cs_replica_first;

/* The ladder of a kernel: how its chains decide swaps, and where the rows of a
 * rung are. */
typedef struct cs_ladder {
    const char *kernel;
    bool within; /* true: each chain changes its own temperature in its steps */
    cs_rung_trial *trial;
    cs_rung_first *first;
} cs_ladder;

/* Returns the ladder of the kernel or wrapper called `name`, or NULL if it has
 * no swaps. */
const cs_ladder *cs_ladder_find(const char *name);

/* Fills the step trace with the pairs of chains that try to swap after step
 * m->step. */
void cs_ladder_tell(const cs_ladder *l, const cs_exchange *m, size_t rungs,
                    uint64_t period, cs_step_trace *to);
