/* Back to an earlier step of a run, and on again. */
#pragma once

#include "run/arms/spec.h"

/* Back to exactly how the run was after `step` steps: the nearest kept past,
 * then replay, changes and all. What lies beyond is forgotten, changes made at
 * `step` itself too; kept draws stay as thin as they are. Fails when `step` is
 * in the future or older than what is kept. */
cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err);

/* The same, and on again: what lies beyond `step`, up to the farthest step
 * there was (cs_run_end), stays as it was. A run that goes on from there makes
 * it again, with its changes at their steps, until something is changed: then
 * it is a branch, to which cs_run_undo goes back. */
cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err);

/* Back to the step at which something was changed after going back, and what
 * lay ahead of it then lies ahead again, to be made again; what has been made
 * instead is the branch now. Fails when there is none. */
cs_status cs_run_undo(cs_run *r, cs_error *err);
