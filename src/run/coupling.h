/* How the data that a chain simulated last came to be: coupling from the past,
 * gone through once more. */
#pragma once

#include "run/run.h"

/* Fills what is out in *c for the last step of a chain, with c->past, points and
 * when given; nothing that the chain has changes. False: its kernel drew no data
 * by coupling from the past, or there is no memory. Takes as long as that draw. */
bool cs_run_coupling(const cs_run *r, size_t arm, size_t chain,
                     const cs_coupling *c);
