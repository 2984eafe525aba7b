/* What a swap of neighbouring rungs is decided by, and where a ladder keeps what
 * it knows of its rungs: for the kernels, and for who looks ahead. */
#pragma once

#include "kernel/kernel.h"
#include "kernel/notes.h"

/* Whether the colder, i, and the hotter of two neighbours swap, and by what; who
 * they are is not said. */
typedef cs_swap_note cs_rung_trial(const cs_exchange *m, size_t i);
cs_rung_trial cs_parallel_trial, cs_replica_trial;

/* The row of a chain's memory where its rung's rows begin (rungs.h). */
typedef size_t cs_rung_first(const cs_exchange *m);
cs_rung_first cs_parallel_first, cs_replica_first;

/* The ladder of a kernel; NULL of one without trials. */
typedef struct cs_ladder {
    const char *kernel;
    bool within; /* its steps change the temperature, each chain by itself */
    cs_rung_trial *trial;
    cs_rung_first *first;
} cs_ladder;

/* By the name of a kernel or of one around another. */
const cs_ladder *cs_ladder_find(const char *name);

/* The pairs that try after m->step, as notes. */
void cs_ladder_tell(const cs_ladder *l, const cs_exchange *m, size_t rungs,
                    uint64_t period, cs_step_notes *to);
