/* The two layers of a restricted Boltzmann machine for many states at once: the
 * operations of training, in single precision, for each instruction set. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

/* Parameters of a machine during training. */
typedef struct cs_layers {
    size_t visible, hidden;
    size_t wide;  /* `visible`, rounded up to whole vectors */
    float *w;     /* [hidden][wide], padded with 0 [own] */
    float *wt;    /* [visible][hidden], its transpose [own] */
    float *b, *c; /* [wide], [hidden] [own] */
} cs_layers;

/* States are [units][lanes], lanes a multiple of CS_PAD. */

/* Inputs of the gradient: hidden units and states, index 0 from the data, index
 * 1 from the chains. */
typedef struct cs_contrast {
    const float *h[2]; /* [hidden][lanes] P(h = 1 | v) */
    const float *v[2]; /* [visible][lanes] */
    size_t lanes, live;
    float *both; /* [hidden][2 lanes] scratch */
    float *vt;   /* [2 lanes][wide] scratch, rows of padding lanes are 0 */
} cs_contrast;

typedef struct cs_layers_ops {
    /* Computes p = P(h = 1 | v) and, unless NULL, logp[lanes], the log density
     * of v. */
    void (*up)(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp);
    /* Computes p = P(v = 1 | h). */
    void (*down)(const cs_layers *m, const float *h, size_t lanes, float *p);
    /* Draws bits: bit = 1 with probability p, if uniform < p. */
    void (*bernoulli)(const double *uniform, size_t n, const float *p,
                      float *bit);
    /* Computes minus the gradient: g[hidden][wide], then [wide] and [hidden]
     * for the biases. It is the mean over live chains minus the mean over the
     * data. */
    void (*contrast)(const cs_layers *m, const cs_contrast *c, float *g);
    /* Sets wt to the transpose of w. */
    void (*transpose)(const cs_layers *m);
} cs_layers_ops;

CS_DECLARE_VARIANTS(cs_layers_ops, cs_layers_hot)
