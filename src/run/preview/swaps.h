/* Preview of the next swaps of a ladder, or of the next change of a chain's
 * temperature, computed on copies that are then discarded. */
#pragma once

#include "kernel/step_trace.h"
#include "run/arms/spec.h"

/* Maximum steps of chains to preview an exchange. */
enum { CS_SWAPS_FAR = 512 };

/* Records in out->swap what the chain's ladder will try after step *after, or
 * in it if a chain changes its own temperature (*within); swap.chain counts
 * within the arm. No swaps and *after = 0: its kernel tries none; no swaps and
 * *after > 0: it is too far ahead, or a change comes first. On the owner's
 * thread, between steps. */
void cs_run_swaps(cs_run *r, size_t arm, size_t chain, cs_step_trace *out,
                  uint64_t *after, bool *within);
