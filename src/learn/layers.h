/* The two layers of a restricted Boltzmann machine over many states at once: the
 * operations of its training, in single precision, for each instruction set. */
#ifndef CS_LEARN_LAYERS_H
#define CS_LEARN_LAYERS_H

#include "simd/simd.h"

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
typedef struct cs_layers_ops {
    /* p = P(h = 1 | v); with logp, logp[lanes] = the log density of v. */
    void (*up)(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp);
    /* p = P(v = 1 | h). */
    void (*down)(const cs_layers *m, const float *h, size_t lanes, float *p);
    /* bit = 1 with chance p: uniform < p. */
    void (*bernoulli)(const double *uniform, size_t n, float *p);
    /* g[hidden][wide] = h[hidden][lanes] vt[live][wide]. */
    void (*outer_products)(const cs_layers *m, const float *h, size_t lanes,
                           const float *vt, size_t live, float *g);
    /* wt of w. */
    void (*transpose)(const cs_layers *m);
} cs_layers_ops;

CS_DECLARE_VARIANTS(cs_layers_ops, cs_layers_hot)

#endif
