/* replica_exchange_sgld: the order of its parameters and of a chain's memory. */
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

/* After the common memory: a rung's rows, the noisy energy, its variance, and
 * how often the variance was estimated. */
enum { ENERGY = CS_RUNG_WORDS, VARIANCE, ESTIMATES, WORDS };
#define CS_REPLICA_LAYOUT                                                      \
    {                                                                          \
        .next = 1                                                              \
    }
