/* How far the arms of a run go: budgets, the ends of files, failed chains. */
#pragma once

#include "run/arms/spec.h"

bool cs_run_finished(const cs_run *r);

/* Of an arm whose draws are read (run/draws/recorded.h): it goes on to step `steps`
 * and no farther until that is said anew; `last`: it is finished there. And
 * whether no arm may go on for now, though some will. */
void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last);
bool cs_run_waits(const cs_run *r);
/* Whether its budget is no limit any more (cs_run_lift). */
bool cs_run_lifted(const cs_run *r);

/* Where a rule ends it before its budget: why, in words, which a summary says as
 * long as the run stands there; NULL: none does. It can go on. */
void cs_run_end_here(cs_run *r, const char *why);
const char *cs_run_ended(const cs_run *r);

/* Whether any chain of an arm, of any arm, has not failed. */
bool cs_run_arm_lives(const cs_run *r, size_t arm);
bool cs_run_lives(const cs_run *r);
