/* Laws of runs of a kernel on any target. Each function returns true if its law
 * holds. */
#pragma once

#include "support/laws.h"

/* Results depend neither on the number of workers nor on the size of blocks. */
bool run_blocks(cs_target *t, const cs_kernel *k);
/* A run loaded from a checkpoint continues bit for bit. */
bool run_resume(cs_target *t, const cs_kernel *k);
/* A rewind restores the past bit for bit. */
bool run_rewind(cs_target *t, const cs_kernel *k);
/* Any single allocation may fail, or all allocations from some point on. Each
 * failure is reported, and no data are lost. */
bool run_memory(cs_target *t, const cs_kernel *k);
