/* A rank that follows the first, and the chains of all at the first. */
#pragma once

#include "run/arms/spec.h"

/* Of a follower, whom the first has told to advance. */
void cs_run_follow(cs_run *r, uint64_t goal);

/* Every rank calls it: the first then has all chains as they are; without their
 * judged draws (run/draws/judged.h) where all of those stand in files and `beside` is
 * set. All fail where one does. */
cs_status cs_run_hand_in(cs_run *r, bool beside, cs_error *err);
/* Of the first rank, which orders the others to do the same; nothing where that
 * was done and nothing has moved since, or the run is not split. */
bool cs_run_is_gathered(const cs_run *r);
cs_status cs_run_gather(cs_run *r, cs_error *err);
