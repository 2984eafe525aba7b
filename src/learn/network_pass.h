/* Forward and backward passes over a minibatch: what each variant of
 * network_pass.c exports. */
#pragma once

#include "learn/network.h"
#include "simd/variants.h"

/* Room for a minibatch: arrays over it are [unit][lanes]. */
typedef struct cs_network_scratch {
    size_t live, lanes;                  /* examples, and a multiple of 16 */
    float *value[CS_NETWORK_LAYERS + 1]; /* of the units, after max(0, .) */
    float *slope[CS_NETWORK_LAYERS + 1]; /* of the loss in what comes before */
    float *transposed; /* the transpose of weights or of values */
    float *memory;     /* all of it [own] */
} cs_network_scratch;

typedef struct cs_network_pass {
    /* value[0] is set; fills value[1 ...]. */
    void (*forward)(const cs_network *net, cs_network_scratch *room);
    /* After forward: the sum of the losses of the live lanes, whose outputs
     * should be wanted[outputs][lanes], and the gradient of its mean,
     * gradient[net->words]. */
    double (*back)(const cs_network *net, cs_network_scratch *room,
                   cs_loss loss, const float *wanted, float *gradient);
    /* One step of Adam on number[n]; mean[n] and square[n] are its memory, t
     * the number of the step, from 1. */
    void (*adam)(float *number, const float *gradient, float *mean,
                 float *square, size_t n, double rate, double t);
} cs_network_pass;

CS_DECLARE_VARIANTS(cs_network_pass, cs_network_passes)
