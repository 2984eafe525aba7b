/* Chains that have stopped, and the reasons. */
#pragma once

#include "run/arms/spec.h"

/* Writes to text[size] the first fault that was not reported before, as in
 * "target banana: log density is NaN in chain 3 at step 17, x = (...)". Returns
 * false if all faults were reported before. */
bool cs_run_fault(cs_run *r, char *text, size_t size);

/* Writes the fault of one chain, even if it was reported before. Returns false
 * if the chain has not stopped. */
bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size);

/* Sets *step to the step at which a chain stopped, and writes a short reason
 * ("log density is +infinity at the proposal (28.2)"). This step is not a draw.
 * Returns false if the chain has not stopped. */
bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size);
