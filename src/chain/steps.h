/* The functions that each variant of step.c exports. block.h describes these
 * functions. */
#pragma once

#include "chain/block.h"
#include "simd/variants.h"

typedef struct cs_steps {
    size_t (*run)(cs_block *b, const cs_driven *driven, size_t n,
                  const _Atomic bool *stop);
} cs_steps;

CS_DECLARE_VARIANTS(cs_steps, cs_block_steps)
