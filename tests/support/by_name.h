/* Creates registered types with their default parameters, and advances runs.
 * Any error fails the test. */
#pragma once

#include "kernel/kernel.h"
#include "run/arms/spec.h"
#include "support/sanitized.h"

cs_target *target_of(const char *name); /* [own: cs_target_release] */
cs_kernel kernel_of(const char *name);

/* Advances a run by exactly n steps. */
void run_steps(cs_run *r, uint64_t n);

/* Calls `law` for each kernel on every compatible target (see TARGETS_EVERY).
 * If `first`, uses only the first compatible target. Fails if the law does not
 * hold; returns the number of calls. */
size_t for_all_fits(bool (*law)(cs_target *t, const cs_kernel *k), bool first);
