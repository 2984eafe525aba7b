/* The two layers of a restricted Boltzmann machine for many states at once.
 * These are the operations of training, in single precision, compiled for each
 * instruction set. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

/* Parameters of a machine during training. */
typedef struct cs_layers {
    size_t visible, hidden;
    size_t wide;  /* `visible`, rounded up to whole vectors */
    float *w;     /* [hidden][wide] weights W, padded with 0 [own] */
    float *wt;    /* [visible][hidden] the transpose of W [own] */
    float *b, *c; /* [wide] and [hidden] biases [own] */
} cs_layers;

/* States are stored as [units][lanes]; the number of lanes is a multiple of
 * CS_PAD. */

/* Inputs of the gradient: hidden units and states. Index 0 is for the data, and
 * index 1 for the chains. */
typedef struct cs_contrast {
    const float *h[2]; /* [hidden][lanes] P(h = 1 | v) of each state */
    const float *v[2]; /* [visible][lanes] the states */
    size_t lanes, live;
    float *both; /* [hidden][2 lanes] scratch for both h */
    float *vt;   /* [2 lanes][wide] scratch for both v; rows of padding lanes
                    are 0 */
} cs_contrast;

typedef struct cs_layers_ops {
    /* Computes p = P(h = 1 | v). Unless logp is NULL, also computes
     * logp[lanes], the log density of v. */
    void (*up)(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp);
    /* Computes p = P(v = 1 | h). */
    void (*down)(const cs_layers *m, const float *h, size_t lanes, float *p);
    /* Draws bits: a bit is 1 if uniform < p, that is, with probability p. */
    void (*bernoulli)(const double *uniform, size_t n, const float *p,
                      float *bit);
    /* Computes minus the gradient, that is, the mean over live chains minus the
     * mean over the data. g receives [hidden][wide] for the weights, then
     * [wide] and [hidden] for the biases. */
    void (*contrast)(const cs_layers *m, const cs_contrast *c, float *g);
    /* Sets wt to the transpose of w. */
    void (*transpose)(const cs_layers *m);
} cs_layers_ops;

CS_DECLARE_VARIANTS(cs_layers_ops, cs_layers_hot)
