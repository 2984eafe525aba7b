/* A matrix of bytes times a block of chains: y[i][lane] = sum_j a[i][j] x[j][lane]
 * of a in -127..127 and x in 0..127, in whole numbers: the same whatever the
 * instruction set. Four columns lie together, x[j / 4][lane][j % 4], as the
 * instructions for it take them; columns are padded to fours with 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#if defined(__AVX2__)
#include "simd/intrinsics.h"
#endif

/* Four columns of a row, to be multiplied with vectors of lanes. */
static inline int32_t cs_bytes_four(const int8_t *a)
{
    int32_t four;
    __builtin_memcpy(&four, a, sizeof four);
    return four;
}

#if defined(__AVX512F__)
enum { CS_BYTES_ROWS = 12 };

/* `rows` rows, `wide` vectors of 16 lanes. GCC 12 spills sums around the
 * intrinsic. */
static inline __attribute__((always_inline)) void
cs_bytes_tile(const int8_t *a, size_t rows, size_t fours, const uint8_t *x,
              size_t lanes, size_t wide, int32_t *y)
{
    __m512i sum[CS_BYTES_ROWS][2];
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 2
        for (size_t v = 0; v < wide; v++)
            sum[r][v] = _mm512_setzero_si512();
    for (size_t j = 0; j < fours; j++) {
        __m512i in[2];
#pragma GCC unroll 2
        for (size_t v = 0; v < wide; v++)
            in[v] = _mm512_loadu_si512(x + (j * lanes + 16 * v) * 4);
#pragma GCC unroll 16
        for (size_t r = 0; r < rows; r++) {
            const int32_t *four =
                (const int32_t *)(const void *)(a + (r * fours + j) * 4);
#pragma GCC unroll 2
            for (size_t v = 0; v < wide; v++)
                __asm__("vpdpbusd %2%{1to16%}, %1, %0"
                        : "+v"(sum[r][v])
                        : "v"(in[v]), "m"(*four));
        }
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 2
        for (size_t v = 0; v < wide; v++)
            _mm512_storeu_si512(y + r * lanes + 16 * v, sum[r][v]);
}

/* All rows, `wide` vectors of 16 lanes. */
static inline __attribute__((always_inline)) void
cs_bytes_strip(const int8_t *a, size_t rows, size_t fours, const uint8_t *x,
               size_t lanes, size_t wide, int32_t *y)
{
    size_t i = 0;
    for (; i + CS_BYTES_ROWS <= rows; i += CS_BYTES_ROWS)
        cs_bytes_tile(a + i * fours * 4, CS_BYTES_ROWS, fours, x, lanes, wide,
                      y + i * lanes);
    for (; i < rows; i++)
        cs_bytes_tile(a + i * fours * 4, 1, fours, x, lanes, wide,
                      y + i * lanes);
}

/* At least 16 lanes. The last ones may be made twice: the same numbers. */
static inline void cs_bytes_wide(const int8_t *a, size_t rows, size_t fours,
                                 const uint8_t *x, size_t lanes, int32_t *y)
{
    size_t l = 0;
    for (; l + 32 <= lanes; l += 32)
        cs_bytes_strip(a, rows, fours, x + l * 4, lanes, 2, y + l);
    for (; l < lanes; l += 16) {
        size_t first = l + 16 <= lanes ? l : lanes - 16;
        cs_bytes_strip(a, rows, fours, x + first * 4, lanes, 1, y + first);
    }
}
#endif

#if defined(__AVX2__)
enum { CS_BYTES_FEW = 4 };

/* `rows` rows, eight lanes. No sum of two products exceeds 16 bits, as x is at
 * most 127. */
static inline __attribute__((always_inline)) void
cs_bytes_few(const int8_t *a, size_t rows, size_t fours, const uint8_t *x,
             size_t lanes, int32_t *y)
{
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sum[CS_BYTES_FEW];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++)
        sum[r] = _mm256_setzero_si256();
    for (size_t j = 0; j < fours; j++) {
        __m256i in = _mm256_loadu_si256(
            (const __m256i *)(const void *)(x + j * lanes * 4));
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; r++) {
            __m256i by =
                _mm256_set1_epi32(cs_bytes_four(a + (r * fours + j) * 4));
            __m256i two = _mm256_maddubs_epi16(in, by);
            sum[r] = _mm256_add_epi32(sum[r], _mm256_madd_epi16(two, ones));
        }
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; r++)
        _mm256_storeu_si256((__m256i *)(void *)(y + r * lanes), sum[r]);
}

/* The same of four lanes and one row. */
static inline void cs_bytes_row(const int8_t *a, size_t fours, const uint8_t *x,
                                size_t lanes, int32_t *y)
{
    const __m128i ones = _mm_set1_epi16(1);
    __m128i sum = _mm_setzero_si128();
    for (size_t j = 0; j < fours; j++) {
        __m128i in =
            _mm_loadu_si128((const __m128i *)(const void *)(x + j * lanes * 4));
        __m128i two =
            _mm_maddubs_epi16(in, _mm_set1_epi32(cs_bytes_four(a + j * 4)));
        sum = _mm_add_epi32(sum, _mm_madd_epi16(two, ones));
    }
    _mm_storeu_si128((__m128i *)(void *)y, sum);
}

static inline void cs_bytes_last(const int8_t *a, size_t rows, size_t fours,
                                 const uint8_t *x, size_t lanes, int32_t *y)
{
    for (size_t i = 0; i < rows; i++)
        cs_bytes_row(a + i * fours * 4, fours, x, lanes, y + i * lanes);
}

static inline void cs_bytes_eight(const int8_t *a, size_t rows, size_t fours,
                                  const uint8_t *x, size_t lanes, int32_t *y)
{
    size_t i = 0;
    for (; i + CS_BYTES_FEW <= rows; i += CS_BYTES_FEW)
        cs_bytes_few(a + i * fours * 4, CS_BYTES_FEW, fours, x, lanes,
                     y + i * lanes);
    for (; i < rows; i++)
        cs_bytes_few(a + i * fours * 4, 1, fours, x, lanes, y + i * lanes);
}
#else
static inline void cs_bytes_last(const int8_t *a, size_t rows, size_t fours,
                                 const uint8_t *x, size_t lanes, int32_t *y)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t l = 0; l < 4; l++) {
            int32_t sum = 0;
            for (size_t j = 0; j < fours; j++)
                for (size_t k = 0; k < 4; k++)
                    sum +=
                        a[(i * fours + j) * 4 + k] * x[(j * lanes + l) * 4 + k];
            y[i * lanes + l] = sum;
        }
}

static inline void cs_bytes_eight(const int8_t *a, size_t rows, size_t fours,
                                  const uint8_t *x, size_t lanes, int32_t *y)
{
    for (size_t l = 0; l < 8; l += 4)
        cs_bytes_last(a, rows, fours, x + l * 4, lanes, y + l);
}
#endif

/* y[rows][lanes] = a[rows][4 fours] x[fours][lanes][4]; lanes a multiple of
 * four. */
static inline void cs_matmul_int8(const int8_t *a, size_t rows, size_t fours,
                                  const uint8_t *x, size_t lanes, int32_t *y)
{
#if defined(__AVX512F__)
    if (lanes >= 16 && __builtin_cpu_supports("avx512vnni")) {
        cs_bytes_wide(a, rows, fours, x, lanes, y);
        return;
    }
#endif
    size_t l = 0;
    for (; l + 8 <= lanes; l += 8)
        cs_bytes_eight(a, rows, fours, x + l * 4, lanes, y + l);
    if (l < lanes)
        cs_bytes_last(a, rows, fours, x + l * 4, lanes, y + l);
}
