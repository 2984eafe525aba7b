/* What the evaluator does in each instruction set, by finite.c. */
#pragma once

#include "simd/variants.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_finite {
    /* Writes CS_BAD_GRADIENT over logp[lanes] where it is finite and the
     * gradient g[dim][lanes] is not; -HUGE_VAL where log p is below -1e100
     * then. */
    void (*mark)(const double *g, size_t dim, size_t lanes, double *logp);
    /* Whether g[dim][lanes] is finite; lanes a multiple of CS_PAD. */
    bool (*all)(const double *g, size_t dim, size_t lanes);
    /* to = from, [rows][lanes], in the lanes that are marked. */
    void (*keep)(const bool *mark, size_t rows, size_t lanes,
                 const double *from, double *to);
} cs_finite;

CS_DECLARE_VARIANTS(cs_finite, cs_finite_gradients)
