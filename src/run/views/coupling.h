/* Replays coupling from the past for the data that a chain simulated last. */
#pragma once

#include "run/arms/spec.h"

/* Fills the outputs in *c for the last step of a chain, with c->past, points
 * and when given; changes nothing in the chain. False: its kernel drew no data
 * by coupling from the past, or out of memory. Takes as long as that draw. */
bool cs_run_coupling(const cs_run *r, size_t arm, size_t chain,
                     const cs_coupling *c);
