/* The two layers of a restricted Boltzmann machine over many states at once: the
 * operations of its training, in single precision, for each instruction set. */
#pragma once

#include "simd/variants.h"

#include <stddef.h>

/* A machine while it learns. */
typedef struct cs_layers {
    size_t visible, hidden;
    size_t wide;  /* visible in whole vectors */
    float *w;     /* [hidden][wide], 0 behind [own] */
    float *wt;    /* [visible][hidden], its transpose [own] */
    float *b, *c; /* [wide], [hidden] [own] */
} cs_layers;

/* States are [units][lanes], lanes a multiple of CS_PAD. */

/* What the gradient is made of: hidden units and the states that they are of,
 * each from the data and from the chains. */
typedef struct cs_contrast {
    const float *h[2]; /* [hidden][lanes] P(h = 1 | v) */
    const float *v[2]; /* [visible][lanes] */
    size_t lanes, live;
    float *both; /* [hidden][2 lanes] scratch */
    float
        *vt; /* [2 lanes][wide] scratch, 0 in rows of lanes that do not live */
} cs_contrast;

typedef struct cs_layers_ops {
    /* p = P(h = 1 | v); logp[lanes] = the log density of v, unless NULL. */
    void (*up)(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp);
    /* p = P(v = 1 | h). */
    void (*down)(const cs_layers *m, const float *h, size_t lanes, float *p);
    /* bit = 1 with chance p: uniform < p. */
    void (*bernoulli)(const double *uniform, size_t n, const float *p,
                      float *bit);
    /* Minus the gradient, g[hidden][wide], then [wide] and [hidden] of the biases:
     * of the chains less of the data, means over those that live. */
    void (*contrast)(const cs_layers *m, const cs_contrast *c, float *g);
    /* wt of w. */
    void (*transpose)(const cs_layers *m);
} cs_layers_ops;

CS_DECLARE_VARIANTS(cs_layers_ops, cs_layers_hot)
