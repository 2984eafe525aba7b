/* Which chains have stopped, and why. */
#pragma once

#include "run/arms/spec.h"

/* The first fault not yet reported ("target banana: log density is NaN in chain 3
 * at step 17, x = (...)") into text[size]; false when there is none. */
bool cs_run_fault(cs_run *r, char *text, size_t size);

/* That of one chain, reported or not; false when it lives. */
bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size);

/* At which step it stopped, of which nothing is a draw, and in a few words why
 * ("log density is +infinity at the proposal (28.2)"); false when it lives. */
bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size);
