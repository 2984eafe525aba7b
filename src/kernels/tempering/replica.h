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

/* Behind the memory of all: a rung's rows, the energy with its noise, the
 * variance of that, how often it was estimated. */
enum { ENERGY = CS_RUNG_WORDS, VARIANCE, ESTIMATES, WORDS };
#define CS_REPLICA_LAYOUT                                                      \
    {                                                                          \
        .next = 1                                                              \
    }
