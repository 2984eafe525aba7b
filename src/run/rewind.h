/* Going back to an earlier step of a run, and forward again. */
#pragma once

#include "run/arms/spec.h"

/* Restores the exact state of the run after `step` steps, from the nearest
 * stored past and a replay with its changes. Later steps are discarded,
 * including changes made at `step` itself; kept draws stay as thin as they are.
 * Fails if `step` is in the future or older than the stored past. */
cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err);

/* Does the same, but keeps the steps after `step`, up to the newest
 * (cs_run_end). Advancing repeats them, with changes at their steps, until a
 * change is made: they then become a branch, to which cs_run_undo returns. */
cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err);

/* Goes back to the step of the change that was made after going back, and swaps
 * the branches: the earlier future is ahead again, and the steps made since are
 * the branch. Fails if there is no branch. */
cs_status cs_run_undo(cs_run *r, cs_error *err);
