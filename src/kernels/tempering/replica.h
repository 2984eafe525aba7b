/* Order of the parameters and of the memory of replica_exchange_sgld. */
#pragma once

#include "kernels/real/stochastic_gradient.h"
#include "kernels/tempering/rungs.h"

enum {
    TEMPERATURE = CS_SG_PARAMS,
    RUNGS,
    HOTTEST,
    HOT_RATE,
    SWAP_INTERVAL,
    INTENSITY,
    ENERGY_NOISE,
    ENERGY_VARIANCE,
    NUMBERS
};

/* Rows of memory after the common part: the rows of a rung (rungs.h), the noisy
 * energy, its variance, and the number of variance estimates so far. */
enum { ENERGY = CS_RUNG_WORDS, VARIANCE, ESTIMATES, WORDS };
#define CS_REPLICA_LAYOUT                                                      \
    {                                                                          \
        .next = 1                                                              \
    }
