/* Checks of gradients for finite values, compiled for each instruction set. */
#pragma once

#include "simd/variants.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_finite {
    /* Marks each lane in which logp[lane] is finite, but the gradient in
     * g[dim][lanes] is not finite. Sets logp[lane] to CS_BAD_GRADIENT, or to
     * -HUGE_VAL if logp[lane] is below -1e100. */
    void (*mark)(const double *g, size_t dim, size_t lanes, double *logp);
    /* Returns whether g[dim][lanes] is finite; the number of lanes is a
     * multiple of CS_PAD. */
    bool (*all)(const double *g, size_t dim, size_t lanes);
    /* Copies `from` to `to`, both [rows][lanes], in the lanes with
     * mark[lane]. */
    void (*keep)(const bool *mark, size_t rows, size_t lanes,
                 const double *from, double *to);
} cs_finite;

CS_DECLARE_VARIANTS(cs_finite, cs_finite_gradients)
