/* Laws of runs of a kernel on any target. Each function returns true if its law
 * holds. */
#pragma once

#include "support/laws.h"

/* Results do not depend on the number of workers and the size of blocks. */
bool run_blocks(cs_target *t, const cs_kernel *k);
/* A run loaded from a checkpoint continues bit for bit. */
bool run_resume(cs_target *t, const cs_kernel *k);
/* A rewind restores the past bit for bit. */
bool run_rewind(cs_target *t, const cs_kernel *k);
/* Any allocation may fail, either once or together with all later allocations.
 * The failure is reported, and no data are lost. */
bool run_memory(cs_target *t, const cs_kernel *k);
