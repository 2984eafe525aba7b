/* Repeats the coupling from the past with which a chain drew its newest
 * simulated data. */
#pragma once

#include "run/arms/spec.h"

/* Fills in the outputs of *c for the last step of a chain. The caller sets
 * c->past, c->points and c->when. Does not change the chain. Returns false if
 * the kernel drew no data by coupling from the past, or if memory runs out.
 * Takes as long as the original draw. */
bool cs_run_coupling(const cs_run *r, size_t arm, size_t chain,
                     const cs_coupling *c);
