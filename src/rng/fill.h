/* What each variant of fill.c exports: see stream.h for the meaning. */
#pragma once

#include "rng/stream.h"
#include "simd/variants.h"

#include <stdbool.h>

enum { CS_ARS_ROUNDS = 5 };
#define CS_ARS_WEYL0 0x9e3779b97f4a7c15u /* golden ratio */
#define CS_ARS_WEYL1 0xbb67ae8584caa73bu /* sqrt(3) - 1 */

typedef struct cs_fill_ops {
    /* Whether this processor has the AES instructions it was compiled with. */
    bool (*runs)(void);
    struct {
        void (*fill)(const cs_streams *s, cs_purpose purpose, size_t n,
                     void *out);
        void (*ahead)(cs_ahead_slot *slot); /* its words, by what it says */
    } shape[CS_SHAPES];
} cs_fill_ops;

/* One round of AES (without its last step if `last`) and no key, on a block of
 * two words, without special instructions. */
void cs_aes_round(uint64_t block[2], bool last);

CS_DECLARE_VARIANTS(cs_fill_ops, cs_fill)
#if CS_HAVE_AVX2
extern const cs_fill_ops cs_fill_avx2_vaes; /* see fill_vaes.c */
#endif
