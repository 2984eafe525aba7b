/* Forward and backward passes over a minibatch. network_pass.c is compiled once
 * for each instruction set. */
#pragma once

#include "learn/network.h"
#include "simd/variants.h"

/* Arrays for a minibatch, [unit][lanes] each. */
typedef struct cs_network_scratch {
    size_t live, lanes;                  /* live: number of examples; lanes:
                                            this number rounded up to a multiple
                                            of 16 */
    float *value[CS_NETWORK_LAYERS + 1]; /* values of the units, after max(0,
                                            .) */
    float *slope[CS_NETWORK_LAYERS + 1]; /* gradient of the loss with respect to
                                            the units before max(0, .) */
    float *transposed; /* scratch: the transpose of weights or of values */
    float *memory;     /* the allocation of all arrays [own] */
} cs_network_scratch;

typedef struct cs_network_pass {
    /* Forward pass: fills value[1 ...] from value[0]. */
    void (*forward)(const cs_network *net, cs_network_scratch *scratch);
    /* Backward pass, after `forward`. The wanted outputs of the live lanes are
     * wanted[outputs][lanes]. Returns the sum of the losses of these lanes, and
     * fills gradient[net->words] with the gradient of the mean loss. */
    double (*back)(const cs_network *net, cs_network_scratch *scratch,
                   cs_loss loss, const float *wanted, float *gradient);
    /* Takes one step of Adam on number[n]. mean[n] and square[n] are the two
     * moments of Adam; t is the number of this step, counted from 1. */
    void (*adam)(float *number, const float *gradient, float *mean,
                 float *square, size_t n, double rate, double t);
} cs_network_pass;

CS_DECLARE_VARIANTS(cs_network_pass, cs_network_passes)
