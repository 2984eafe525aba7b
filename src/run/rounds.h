/* Rounds of a run: all blocks advance by the same number of steps. */
#pragma once

#include "run/arms/spec.h"

#include <stdatomic.h>

typedef struct cs_rounds {
    size_t *pool_item, n_pool; /* items of this round for the workers */
    size_t *main_item, n_main; /* items for the owner's thread only [own] */
    uint64_t quantum;
    atomic_bool stop;
    const atomic_bool *stop_flag; /* &stop, or NULL: stops are ignored */
    const cs_arm *stuck;          /* its schedules have no value; or NULL */
} cs_rounds;

/* Advances every arm to `goal`, or until *r->stop_flag. */
void cs_run_rounds(cs_run *r, uint64_t goal);

/* Rejects a budget that some arm would never spend. */
cs_status cs_budget_check(cs_run *r, cs_error *err);
