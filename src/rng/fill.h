/* The functions that each variant of fill.c exports. stream.h describes these
 * functions. */
#pragma once

#include "rng/stream.h"
#include "simd/variants.h"

#include <stdbool.h>

enum { CS_ARS_ROUNDS = 5 };
#define CS_ARS_WEYL0 0x9e3779b97f4a7c15u /* digits of the golden ratio */
#define CS_ARS_WEYL1 0xbb67ae8584caa73bu /* digits of sqrt(3) - 1 */

typedef struct cs_fill_ops {
    /* Returns whether this processor has the AES instructions that the variant
     * uses. */
    bool (*runs)(void);
    struct {
        void (*fill)(const cs_streams *s, cs_purpose purpose, size_t n,
                     void *out);
        void (*ahead)(cs_ahead_slot *slot);
    } shape[CS_SHAPES]; /* functions for each shape of numbers */
} cs_fill_ops;

/* Applies one round of AES without key to a block of two words, without special
 * instructions. With `last` it is the last round, which lacks MixColumns. */
void cs_aes_round(uint64_t block[2], bool last);

CS_DECLARE_VARIANTS(cs_fill_ops, cs_fill)
#if CS_HAVE_AVX2
extern const cs_fill_ops cs_fill_avx2_vaes; /* defined in fill_vaes.c */
#endif
