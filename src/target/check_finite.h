/* Functions of the evaluator that are compiled for each instruction set. */
#pragma once

#include "simd/variants.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_finite {
    /* Writes CS_BAD_GRADIENT over logp[lanes] where it is finite and the
     * gradient g[dim][lanes] is not; or -HUGE_VAL if log p is below -1e100. */
    void (*mark)(const double *g, size_t dim, size_t lanes, double *logp);
    /* Returns whether g[dim][lanes] is finite; lanes a multiple of CS_PAD. */
    bool (*all)(const double *g, size_t dim, size_t lanes);
    /* Copies from to to, [rows][lanes], in the marked lanes. */
    void (*keep)(const bool *mark, size_t rows, size_t lanes,
                 const double *from, double *to);
} cs_finite;

CS_DECLARE_VARIANTS(cs_finite, cs_finite_gradients)
