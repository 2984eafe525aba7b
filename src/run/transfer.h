/* Transfers the state of a run to a new run with other arms. */
#pragma once

#include "run/arms/spec.h"

/* Makes the new run `r` equal to the present state of a run `from` with the
 * same target and seed. Arm i becomes arm source[i] of that run, with all its
 * changes; CS_NO_ARM: arm i is new. cs_run_advance first makes the missing
 * steps of a new arm. Two arms with the same source become equal. The run can
 * be rewound to step 0, unless a function of a script made a change.
 *
 * The target may have other parameters on the same states. Then the chains
 * continue from their states; draws, probes and the range of rewinding begin at
 * this step, as after a warm-up.
 *
 * Fails if kernels or probes differ or if the target learns; the new run then
 * cannot be used. */
cs_status cs_run_transfer(cs_run *r, cs_run *from, const size_t *source,
                          cs_error *err);

/* If the other run was rewound, also copies its changes after its current step.
 * Copies them only to arms that have a source. Call this after
 * cs_run_transfer. */
cs_status cs_run_transfer_ahead(cs_run *r, const cs_run *from,
                                const size_t *source, cs_error *err);

/* Call this after cs_run_transfer_ahead if the other run was changed at an
 * earlier step and this change was then undone (cs_run_undo). In that case the
 * branch of the other run contains the change. Repeats the changes that this
 * branch has at the current step. Each change is made in the first arm whose
 * source is the changed arm. Changes of other arms at later steps are kept. */
cs_status cs_run_transfer_branch(cs_run *r, const cs_run *from,
                                 const size_t *source, cs_error *err);

/* For all arms except `arm`, restores the changes at later steps. Call this
 * after `arm` was changed at an earlier step. */
cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err);

/* Returns the number of steps that the slowest arm must make to reach the step
 * of the run; 0: none. */
uint64_t cs_run_behind(const cs_run *r);
