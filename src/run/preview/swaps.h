/* Preview of the next swaps of a temperature ladder, or of the next temperature
 * change of a chain. It is computed on copies, which are then discarded. */
#pragma once

#include "kernel/step_trace.h"
#include "run/arms/spec.h"

/* Maximum number of steps computed for the preview of an exchange. */
enum { CS_SWAPS_FAR = 512 };

/* Writes to out->swap the swaps that the chain's ladder will try after step
 * *after. If *within is true, the chain changes its own temperature within that
 * step. swap.chain is the number of a chain in the arm. If *after is 0, the
 * kernel tries no swaps. If *after > 0 and out->swap is empty, the next swaps
 * are too far ahead, or a change of the run precedes them. Called on the
 * owner's thread between steps. */
void cs_run_swaps(cs_run *r, size_t arm, size_t chain, cs_step_trace *out,
                  uint64_t *after, bool *within);
