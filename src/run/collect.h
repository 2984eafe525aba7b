/* A rank that follows the first, and collecting all chains on the first. */
#pragma once

#include "run/arms/spec.h"

/* Advances a follower on the order of the first rank. */
void cs_run_follow(cs_run *r, uint64_t goal);

/* Collects all chains on the first rank; every rank calls it. Their diagnosed
 * draws (run/draws/diagnosed.h) are omitted if all are in files and `beside` is
 * set. Fails on all ranks if it fails on one. */
cs_status cs_run_gather_all(cs_run *r, bool beside, cs_error *err);
/* Does the same from the first rank, which orders the others to follow.
 * cs_run_is_gathered: true if this was done and nothing has moved since, or the
 * run is not split. */
bool cs_run_is_gathered(const cs_run *r);
cs_status cs_run_gather(cs_run *r, cs_error *err);
