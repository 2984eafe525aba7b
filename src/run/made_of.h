/* What a run was made of when it was opened, for summaries: two runs are compared
 * by it. */
#pragma once

#include "run/run.h"

/* Lines "arm small: step = 0.5", see base/parts.h. [borrowed] */
const char *cs_run_made_of(const cs_run *r);

/* A digest of that and of the seed: the same for all runs that make the same draws,
 * whole or in parts, here or elsewhere. What reports and files call the run. */
uint64_t cs_run_identity(const cs_run *r);
