/* Four blocks of two words in one piece, and rounds of AES on it: with the
 * processor's instructions in the variants that have them. For fill.c. */
#ifndef CS_RNG_QUAD_H
#define CS_RNG_QUAD_H

#if defined(__clang__) /* gets them as options */
#elif defined(__AVX512F__)
#pragma GCC target("aes,vaes")
#elif defined(__AVX2__)
#pragma GCC target("aes")
#endif
#include "rng/fill.h"
#include "simd/vmath.h"

#define INLINE static inline __attribute__((always_inline))

/* Vectors done together, as far as the registers go. */
#if defined(__AVX512F__)
enum { WIDE = 4 };
#else
enum { WIDE = 1 };
#endif
#define EACH _Pragma("GCC unroll 8") for (int j = 0; j < wide; j++)

#if defined(__AVX512F__)

typedef cs_vu quad;

/* Whether this processor has the instructions. */
INLINE bool quad_runs(void)
{
#if defined(__clang__) /* does not know the name */
    return false;
#else
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("vaes");
#endif
}

INLINE quad quad_of(cs_vu v)
{
    return v;
}

INLINE quad both(quad a, quad b)
{
    return a ^ b;
}

INLINE quad sum(quad a, quad b)
{
    return a + b;
}

INLINE quad turn(quad v, quad key)
{
    return (quad)_mm512_aesenc_epi128((__m512i)v, (__m512i)key);
}

INLINE quad last_turn(quad v, quad key)
{
    return (quad)_mm512_aesenclast_epi128((__m512i)v, (__m512i)key);
}

/* Interleaves the first words of each block, and the second ones. */
INLINE void words_of(quad even, quad odd, cs_vu *a, cs_vu *b)
{
    *a = __builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14);
    *b = __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
}

/* Writes the blocks to places `stride` words apart. */
INLINE void put_blocks(quad q, uint64_t *to, size_t stride)
{
    _mm_store_si128((__m128i *)to, _mm512_castsi512_si128((__m512i)q));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 1));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 2));
    to += stride;
    _mm_store_si128((__m128i *)to, _mm512_extracti64x2_epi64((__m512i)q, 3));
}

#else

#if defined(__AVX2__)

typedef __m128i single;

/* Whether this processor has the instructions. */
INLINE bool quad_runs(void)
{
    return __builtin_cpu_supports("aes");
}

#define lows _mm_unpacklo_epi64
#define highs _mm_unpackhi_epi64
typedef __m256i half;
#define joined(a, b) _mm256_set_m128i(b, a)

INLINE single one_turn(single v, single key, bool last)
{
    return last ? _mm_aesenclast_si128(v, key) : _mm_aesenc_si128(v, key);
}

#else

typedef uint64_t single __attribute__((vector_size(16), may_alias));

/* Whether this processor has the instructions. */
INLINE bool quad_runs(void)
{
    return true;
}

#define lows(a, b) __builtin_shufflevector(a, b, 0, 2)
#define highs(a, b) __builtin_shufflevector(a, b, 1, 3)
typedef struct half {
    single part[2];
} half;
#define joined(a, b) ((half){{a, b}})

INLINE single one_turn(single v, single key, bool last)
{
    cs_aes_round((uint64_t *)&v, last);
    return v ^ key;
}

#endif

typedef uint64_t pair __attribute__((vector_size(16), may_alias));
typedef struct quad {
    single block[4];
} quad;

INLINE quad quad_of(cs_vu v)
{
    union {
        cs_vu v;
        quad q;
    } t = {.v = v};
    return t.q;
}

INLINE quad both(quad a, quad b)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        a.block[i] ^= b.block[i];
    return a;
}

INLINE quad sum(quad a, quad b)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        a.block[i] = (single)((pair)a.block[i] + (pair)b.block[i]);
    return a;
}

INLINE quad turn(quad v, quad key)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        v.block[i] = one_turn(v.block[i], key.block[i], false);
    return v;
}

INLINE quad last_turn(quad v, quad key)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        v.block[i] = one_turn(v.block[i], key.block[i], true);
    return v;
}

INLINE void words_of(quad even, quad odd, cs_vu *a, cs_vu *b)
{
    union {
        cs_vu v;
        half part[2];
    } first, second;
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const single *x = even.block + 2 * i, *y = odd.block + 2 * i;
        first.part[i] = joined(lows(x[0], y[0]), lows(x[1], y[1]));
        second.part[i] = joined(highs(x[0], y[0]), highs(x[1], y[1]));
    }
    *a = first.v;
    *b = second.v;
}

/* Writes the blocks to places `stride` words apart. */
INLINE void put_blocks(quad q, uint64_t *to, size_t stride)
{
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        *(single *)(to + (size_t)i * stride) = q.block[i];
}

#endif

/* Blocks from the two words of eight columns. */
INLINE quad evens(cs_vu low, cs_vu high)
{
    return quad_of(
        __builtin_shufflevector(low, high, 0, 8, 2, 10, 4, 12, 6, 14));
}

INLINE quad odds(cs_vu low, cs_vu high)
{
    return quad_of(
        __builtin_shufflevector(low, high, 1, 9, 3, 11, 5, 13, 7, 15));
}

/* The same 128 bits four times. */
INLINE quad quad_all(uint64_t low, uint64_t high)
{
    return quad_of((cs_vu){low, high, low, high, low, high, low, high});
}

#endif
