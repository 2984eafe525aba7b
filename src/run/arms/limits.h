/* Limits of the arms of a run: budgets, ends of files, failed chains. */
#pragma once

#include "run/arms/spec.h"

bool cs_run_finished(const cs_run *r);

/* For an arm whose draws are read from files (run/draws/recorded.h): limits it
 * to step `steps` until the next call; `last`: it is finished there.
 * cs_run_waits: true if no arm may advance for now, though some will later. */
void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last);
bool cs_run_waits(const cs_run *r);
/* True if the budget no longer limits the run (cs_run_lift). */
bool cs_run_lifted(const cs_run *r);

/* Ends the run before its budget for the reason `why`, which summaries report
 * while the run stays there; NULL: no reason. The run can continue. */
void cs_run_end_here(cs_run *r, const char *why);
const char *cs_run_ended(const cs_run *r);

/* True if any chain of the arm, or of any arm, has not failed. */
bool cs_run_arm_lives(const cs_run *r, size_t arm);
bool cs_run_lives(const cs_run *r);
