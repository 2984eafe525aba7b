/* Rounds of a run: all blocks advance by an equal number of steps. */
#pragma once

#include "run/arms/spec.h"

#include <stdatomic.h>

typedef struct cs_rounds {
    size_t *pool_item, n_pool; /* jobs of this round for the workers */
    size_t *main_item, n_main; /* jobs for the owner's thread only [own] */
    uint64_t quantum;
    atomic_bool stop;
    const atomic_bool *stop_flag; /* &stop, or NULL to ignore stops */
    /* arm whose schedule has no value at this step, or NULL */
    const cs_arm *stuck;
} cs_rounds;

/* Advances every arm to step `goal`, or until *r->stop_flag is set. */
void cs_run_rounds(cs_run *r, uint64_t goal);

/* Fails if some arm would never spend the budget. */
cs_status cs_budget_check(cs_run *r, cs_error *err);
