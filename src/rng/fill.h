/* The exports of each variant of fill.c: see stream.h for their meaning. */
#pragma once

#include "rng/stream.h"
#include "simd/variants.h"

#include <stdbool.h>

enum { CS_ARS_ROUNDS = 5 };
#define CS_ARS_WEYL0 0x9e3779b97f4a7c15u /* golden ratio */
#define CS_ARS_WEYL1 0xbb67ae8584caa73bu /* sqrt(3) - 1 */

typedef struct cs_fill_ops {
    /* Returns whether this processor has the AES instructions that the variant
     * uses. */
    bool (*runs)(void);
    struct {
        void (*fill)(const cs_streams *s, cs_purpose purpose, size_t n,
                     void *out);
        void (*ahead)(cs_ahead_slot *slot); /* fills of each kind of words */
    } shape[CS_SHAPES];
} cs_fill_ops;

/* Applies one round of AES (without its last step if `last`) without a key to a
 * block of two words, without special instructions. */
void cs_aes_round(uint64_t block[2], bool last);

CS_DECLARE_VARIANTS(cs_fill_ops, cs_fill)
#if CS_HAVE_AVX2
extern const cs_fill_ops cs_fill_avx2_vaes; /* see fill_vaes.c */
#endif
