/* Vectors of blocks of two words, and rounds of AES on these blocks. Variants
 * whose instruction set has AES instructions use these instructions. Included
 * by fill.c. */
#pragma once

#if defined(__clang__) /* the build selects the instruction sets by options */
#elif defined(__AVX512F__) || defined(CS_FILL_VAES)
#pragma GCC target("aes,vaes")
#elif defined(__AVX2__)
#pragma GCC target("aes")
#endif
#include "rng/fill.h"
#include "simd/vmath.h"

#define INLINE static inline __attribute__((always_inline))

/* WIDE: number of vectors that are processed together. The number of registers
 * limits it. */
#if defined(__AVX512F__)
enum { WIDE = 4 };
#elif defined(__AVX2__)
enum { WIDE = 2 };
#else
enum { WIDE = 1 };
#endif
#define EACH _Pragma("GCC unroll 8") for (int j = 0; j < wide; j++)

typedef cs_vu blocks;

/* Indices for shuffles that interleave the even words of two vectors, and the
 * odd words of two vectors. */
#if defined(__AVX512F__)
#define EVENS 0, 8, 2, 10, 4, 12, 6, 14
#define ODDS 1, 9, 3, 11, 5, 13, 7, 15
#else
#define EVENS 0, 4, 2, 6
#define ODDS 1, 5, 3, 7
#endif

/* ---- rounds of AES ------------------------------------------------------- */

/* Returns whether this processor has the AES instructions of this variant. */
INLINE bool blocks_run(void)
{
#if defined(__AVX512F__) && defined(__clang__) /* Clang rejects "vaes" in
                                                  __builtin_cpu_supports */
    return false;
#elif defined(__AVX512F__) || defined(CS_FILL_VAES)
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("vaes");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("aes");
#else
    return true;
#endif
}

#if defined(__AVX512F__)

INLINE blocks turn(blocks v, blocks key)
{
    return (blocks)_mm512_aesenc_epi128((__m512i)v, (__m512i)key);
}

INLINE blocks last_turn(blocks v, blocks key)
{
    return (blocks)_mm512_aesenclast_epi128((__m512i)v, (__m512i)key);
}

#elif defined(CS_FILL_VAES)

INLINE blocks turn(blocks v, blocks key)
{
    return (blocks)_mm256_aesenc_epi128((__m256i)v, (__m256i)key);
}

INLINE blocks last_turn(blocks v, blocks key)
{
    return (blocks)_mm256_aesenclast_epi128((__m256i)v, (__m256i)key);
}

#elif defined(__AVX2__)

/* Applies one round to each half of a vector, that is, to both blocks. */
#define BY_HALVES(round, v, key)                                               \
    (blocks)                                                                   \
        _mm256_set_m128i(round(_mm256_extracti128_si256((__m256i)v, 1),        \
                               _mm256_extracti128_si256((__m256i)key, 1)),     \
                         round(_mm256_castsi256_si128((__m256i)v),             \
                               _mm256_castsi256_si128((__m256i)key)))

INLINE blocks turn(blocks v, blocks key)
{
    return BY_HALVES(_mm_aesenc_si128, v, key);
}

INLINE blocks last_turn(blocks v, blocks key)
{
    return BY_HALVES(_mm_aesenclast_si128, v, key);
}

#else

INLINE blocks turn(blocks v, blocks key)
{
    for (size_t i = 0; i < CS_VECTOR; i += 2)
        cs_aes_round((uint64_t *)&v + i, false);
    return v ^ key;
}

INLINE blocks last_turn(blocks v, blocks key)
{
    for (size_t i = 0; i < CS_VECTOR; i += 2)
        cs_aes_round((uint64_t *)&v + i, true);
    return v ^ key;
}

#endif

/* ---- words and blocks ---------------------------------------------------- */

/* Splits the blocks of even columns and of odd columns into two vectors: the
 * first words and the second words of all columns. */
INLINE void words_of(blocks even, blocks odd, cs_vu *a, cs_vu *b)
{
    *a = __builtin_shufflevector(even, odd, EVENS);
    *b = __builtin_shufflevector(even, odd, ODDS);
}

/* Build blocks from `low`, the first words of a vector of columns, and `high`,
 * the second words. evens returns the blocks of the even columns; odds returns
 * those of the odd columns. */
INLINE blocks evens(cs_vu low, cs_vu high)
{
    return __builtin_shufflevector(low, high, EVENS);
}

INLINE blocks odds(cs_vu low, cs_vu high)
{
    return __builtin_shufflevector(low, high, ODDS);
}

/* Sets every block to the same 128 bits. */
INLINE blocks block_all(uint64_t low, uint64_t high)
{
#if defined(__AVX512F__)
    return (blocks){low, high, low, high, low, high, low, high};
#else
    return (blocks){low, high, low, high};
#endif
}

/* Writes the blocks to the array `to`, `stride` words apart. */
INLINE void put_blocks(blocks q, uint64_t *to, size_t stride)
{
#if defined(__AVX512F__)
    _mm_store_si128((__m128i *)to, _mm512_castsi512_si128((__m512i)q));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 1));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 2));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 3));
#elif defined(__AVX2__)
    _mm_store_si128((__m128i *)to, _mm256_castsi256_si128((__m256i)q));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm256_extracti128_si256((__m256i)q, 1));
#else
    for (size_t i = 0; i < CS_VECTOR; i += 2, to += stride) {
        to[0] = q[i];
        to[1] = q[i + 1];
    }
#endif
}
