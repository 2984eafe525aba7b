/* Returns a run to an earlier step, and forward again. */
#pragma once

#include "run/arms/spec.h"

/* Restores the exact state of the run after `step` steps. Starts from the
 * nearest mark and repeats the steps from there, with the recorded changes.
 * Later steps are discarded, including changes made at `step` itself; the
 * thinning of kept draws is unchanged. Fails if `step` is in the future or
 * before the oldest mark. */
cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err);

/* Goes back to `step` like cs_run_rewind, but keeps the later steps, up to the
 * newest (cs_run_end). Advancing repeats the later steps, with their changes,
 * until a new change is made. The later steps then become a branch, to which
 * cs_run_undo returns. */
cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err);

/* Goes back to the step of the change that created the branch, and swaps the
 * branches: the run can now repeat the steps of the branch, and the steps that
 * were made since the change become the branch. Fails if there is no branch. */
cs_status cs_run_undo(cs_run *r, cs_error *err);
