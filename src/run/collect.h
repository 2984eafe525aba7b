/* Makes ranks follow the first rank, and collects all chains on the first
 * rank. */
#pragma once

#include "run/arms/spec.h"

/* Advances a rank as ordered by the first rank. */
void cs_run_follow(cs_run *r, uint64_t goal);

/* Collects all chains on the first rank. All ranks call this function. If
 * `beside` is true, omits the diagnosed draws (run/draws/diagnosed.h) of each
 * arm whose diagnosed draws are all in files. A failure on one rank is a
 * failure on all ranks. */
cs_status cs_run_gather_all(cs_run *r, bool beside, cs_error *err);
/* cs_run_gather is called on the first rank. It orders the other ranks to take
 * part, and collects all chains. cs_run_is_gathered returns true if the run is
 * not split. It also returns true if all chains are collected and have not
 * moved since then. */
bool cs_run_is_gathered(const cs_run *r);
cs_status cs_run_gather(cs_run *r, cs_error *err);
