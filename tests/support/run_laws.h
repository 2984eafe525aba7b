/* Laws of runs of a kernel on any target; each returns whether it holds. */
#pragma once

#include "support/laws.h"

/* Workers and blocks do not matter. */
bool run_blocks(cs_target *t, const cs_kernel *k);
/* Saved bytes continue bit for bit. */
bool run_resume(cs_target *t, const cs_kernel *k);
/* The past comes back bit for bit. */
bool run_rewind(cs_target *t, const cs_kernel *k);
/* Every request for memory may fail, once or from then on: the failure is
 * reported, and nothing is lost. */
bool run_memory(cs_target *t, const cs_kernel *k);
