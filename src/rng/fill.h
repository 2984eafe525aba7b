/* What each variant of fill.c exports: see stream.h for the meaning. */
#ifndef CS_RNG_FILL_H
#define CS_RNG_FILL_H

#include "base/simd.h"
#include "rng/stream.h"

typedef struct cs_fill_ops {
    void (*words)(const cs_streams *s, cs_purpose purpose, size_t n,
                  uint64_t *out);
    void (*uniform)(const cs_streams *s, cs_purpose purpose, size_t n,
                    double *out);
    void (*normal)(const cs_streams *s, cs_purpose purpose, size_t n,
                   double *out);
    void (*log_uniform)(const cs_streams *s, cs_purpose purpose, size_t n,
                        double *out);
} cs_fill_ops;

CS_DECLARE_VARIANTS(cs_fill_ops, cs_fill)

#endif
