/* Registered types made with their defaults, and runs of them that step; a
 * failure fails the test. */
#pragma once

#include "kernel/kernel.h"
#include "run/arms/spec.h"
#include "support/sanitized.h"

cs_target *target_of(const char *name); /* [own: cs_target_release] */
cs_kernel kernel_of(const char *name);

/* n steps, all of them. */
void run_steps(cs_run *r, uint64_t n);

/* Calls `law` for each kernel on each target (TARGETS_EVERY) that it fits, or
 * with `first` on the first of them only; fails where it does not hold, and
 * counts them. */
size_t for_all_fits(bool (*law)(cs_target *t, const cs_kernel *k), bool first);
