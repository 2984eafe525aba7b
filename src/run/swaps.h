/* The swaps to come of a ladder, or the change of temperature of a chain: made
 * on copies, which are thrown away. */
#pragma once

#include "kernel/notes.h"
#include "run/run.h"

/* Steps of chains that are made to look into an exchange, at most. */
enum { CS_SWAPS_FAR = 512 };

/* Notes in out->swap what will be tried after step *after (a ladder), or in it (a
 * chain that changes its own temperature: *within), by the ladder of the chain;
 * swap.chain counts within the arm. None, and *after = 0: its kernel tries
 * nothing; none, and *after > 0: it is too far ahead, or something changes before
 * it. On the owner's thread, while the run rests. */
void cs_run_swaps(cs_run *r, size_t arm, size_t chain, cs_step_notes *out,
                  uint64_t *after, bool *within);
