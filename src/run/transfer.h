/* Transfers a run to a new one with other arms. */
#pragma once

#include "run/arms/spec.h"

/* Makes the new run `r` equal to the present state of another run with the same
 * target and seed. Arm i becomes the other's arm source[i], with all its
 * changes; CS_NO_ARM: arm i is new. A new arm starts late: cs_run_advance first
 * makes the steps that it would have made if it had existed from the start. Two
 * arms from one source are equal. The run can be rewound to step 0, unless a
 * function of a script made a change.
 * The target may have other parameters on the same states. Then chains continue
 * from their states, and draws, probes and the range of rewinding begin there,
 * as after a warm-up. Fails, and leaves a run that cannot be used, if kernels
 * or probes differ or if the target learns. */
cs_status cs_run_transfer(cs_run *r, cs_run *from, const size_t *source,
                          cs_error *err);

/* Call after cs_run_transfer. Copies the changes ahead of the other run, which was
 * rewound, for the arms that have a source here. */
cs_status cs_run_transfer_ahead(cs_run *r, const cs_run *from,
                                const size_t *source, cs_error *err);

/* Call after cs_run_transfer_ahead. Makes in this run, at the same step, the
 * changes with which the other left its earlier branch before it returned to it
 * (cs_run_undo); only for arms that come from the changed arm. Changes ahead of
 * other arms are kept. */
cs_status cs_run_transfer_branch(cs_run *r, const cs_run *from,
                                 const size_t *source, cs_error *err);

/* Call after a change of `arm` at a step in the past: restores the changes
 * ahead of the other arms. */
cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err);

/* Returns the number of steps by which the slowest arm is late; 0: none is. */
uint64_t cs_run_behind(const cs_run *r);
