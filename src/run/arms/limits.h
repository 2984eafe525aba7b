/* Conditions under which the arms of a run end: budgets, ends of files, failed
 * chains. */
#pragma once

#include "run/arms/spec.h"

bool cs_run_finished(const cs_run *r);

/* cs_run_limit limits an arm whose draws are read from files
 * (run/draws/recorded.h). The arm may advance to step `steps` until the next
 * call; if `last` is true, the arm is finished at that step. cs_run_waits
 * returns true if no arm can advance now, but at least one arm can advance
 * later. Draws in tiles (run/draws/tiles.h) have no room for a larger limit: it
 * is ignored. */
void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last);
bool cs_run_waits(const cs_run *r);
/* Returns true if the budget no longer limits the run (see cs_run_lift). */
bool cs_run_lifted(const cs_run *r);

/* Ends the run before its budget is spent. `why` is the reason (NULL: no reason
 * is given). Summaries report the reason until the run continues. */
void cs_run_end_here(cs_run *r, const char *why);
const char *cs_run_ended(const cs_run *r);

/* cs_run_arm_lives returns true if at least one chain of the arm has not
 * failed. cs_run_lives returns true if at least one chain of the run has not
 * failed. */
bool cs_run_arm_lives(const cs_run *r, size_t arm);
bool cs_run_lives(const cs_run *r);
