/* A matrix times a block of chains, y[i][lane] = sum_j a[i][j] x[j][lane], in
 * registers.
 *
 * Each y is one chain of fused multiply-adds over j = 0, 1, ... from zero,
 * whatever the number of lanes and whatever the instruction set: results are
 * equal bit for bit. Tiles of rows x vectors stay in registers over the whole
 * sum, so that one load of x serves several rows and one of a several lanes. */
#ifndef CS_BASE_PRODUCT_H
#define CS_BASE_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#if defined(__FMA__)
#include <immintrin.h>
#endif

/* The widest vector with a fused multiply-add, and the tile that fits the
 * registers: 6 x 4 of 32, 6 x 2 of 16. */
#if defined(__AVX512F__)
typedef __m512d cs_wide;
enum { CS_WIDE = 8, CS_TILE = 4 };
#define cs_wide_load _mm512_loadu_pd
#define cs_wide_store _mm512_storeu_pd
#define cs_wide_all _mm512_set1_pd
#define cs_wide_fma _mm512_fmadd_pd
#define cs_wide_mask(n) ((__mmask8)((1u << (n)) - 1))
#define cs_wide_load_some(p, mask) _mm512_maskz_loadu_pd(mask, p)
#define cs_wide_store_some(p, mask, v) _mm512_mask_storeu_pd(p, mask, v)
typedef __mmask8 cs_wide_some;
#elif defined(__FMA__) && defined(__AVX__)
typedef __m256d cs_wide;
enum { CS_WIDE = 4, CS_TILE = 2 };
#define cs_wide_load _mm256_loadu_pd
#define cs_wide_store _mm256_storeu_pd
#define cs_wide_all _mm256_set1_pd
#define cs_wide_fma _mm256_fmadd_pd
#define cs_wide_mask(n)                                                        \
    _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(n)),                     \
                       _mm256_set_epi64x(3, 2, 1, 0))
#define cs_wide_load_some(p, mask) _mm256_maskload_pd(p, mask)
#define cs_wide_store_some(p, mask, v) _mm256_maskstore_pd(p, mask, v)
typedef __m256i cs_wide_some;
#else
typedef double cs_wide;
enum { CS_WIDE = 1, CS_TILE = 2 };
#define cs_wide_load(p) (*(p))
#define cs_wide_store(p, v) (*(p) = (v))
#define cs_wide_all(s) (s)
#define cs_wide_fma __builtin_fma
#define cs_wide_mask(n) ((n) > 0)
#define cs_wide_load_some(p, mask) ((mask) ? *(p) : 0)
#define cs_wide_store_some(p, mask, v) (void)((mask) ? *(p) = (v) : 0)
typedef int cs_wide_some;
#endif
enum { CS_TILE_ROWS = 6, CS_TILE_ONE = 8 };

/* One tile: `rows` rows of a (stride `cols`), `wide` vectors of lanes. Inlined
 * with constants for both, so that `sum` is registers. */
static inline __attribute__((always_inline)) void
cs_product_tile(const double *a, size_t rows, size_t cols, const double *x,
                size_t lanes, size_t wide, double *y)
{
    cs_wide sum[CS_TILE_ROWS][CS_TILE];
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            sum[r][v] = cs_wide_all(0.0);
    for (size_t j = 0; j < cols; j++) {
        cs_wide in[CS_TILE];
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            in[v] = cs_wide_load(x + j * lanes + v * CS_WIDE);
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            cs_wide factor = cs_wide_all(a[r * cols + j]);
#pragma GCC unroll 8
            for (size_t v = 0; v < wide; v++)
                sum[r][v] = cs_wide_fma(factor, in[v], sum[r][v]);
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            cs_wide_store(y + r * lanes + v * CS_WIDE, sum[r][v]);
}

/* All rows for `wide` vectors of lanes. */
static inline __attribute__((always_inline)) void
cs_product_strip(const double *a, size_t rows, size_t cols, const double *x,
                 size_t lanes, size_t wide, double *y)
{
    size_t i = 0;
    for (; i + CS_TILE_ROWS <= rows; i += CS_TILE_ROWS)
        cs_product_tile(a + i * cols, CS_TILE_ROWS, cols, x, lanes, wide,
                        y + i * lanes);
    for (; i + 2 <= rows; i += 2)
        cs_product_tile(a + i * cols, 2, cols, x, lanes, wide, y + i * lanes);
    for (; i < rows; i++)
        cs_product_tile(a + i * cols, 1, cols, x, lanes, wide, y + i * lanes);
}

/* y[rows][lanes] = a[rows][cols] x[cols][lanes]; lanes a multiple of 8. */
static inline void cs_product(const double *a, size_t rows, size_t cols,
                              const double *x, size_t lanes, double *y)
{
    size_t l = 0;
    for (; l + CS_TILE * CS_WIDE <= lanes; l += CS_TILE * CS_WIDE)
        cs_product_strip(a, rows, cols, x + l, lanes, CS_TILE, y + l);
    for (; l < lanes; l += CS_WIDE)
        cs_product_strip(a, rows, cols, x + l, lanes, 1, y + l);
}

/* `wide` vectors of rows, and one more of the rows in `some` if `more`. */
static inline __attribute__((always_inline)) void
cs_product_rows(const double *at, size_t rows, size_t cols, const double *x,
                size_t wide, bool more, cs_wide_some some, double *y)
{
    cs_wide sum[CS_TILE_ONE], rest = cs_wide_all(0.0);
#pragma GCC unroll 8
    for (size_t v = 0; v < wide; v++)
        sum[v] = cs_wide_all(0.0);
    for (size_t j = 0; j < cols; j++) {
        const double *a = at + j * rows;
        cs_wide in = cs_wide_all(x[j]);
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            sum[v] = cs_wide_fma(cs_wide_load(a + v * CS_WIDE), in, sum[v]);
        if (more)
            rest = cs_wide_fma(cs_wide_load_some(a + wide * CS_WIDE, some), in,
                               rest);
    }
#pragma GCC unroll 8
    for (size_t v = 0; v < wide; v++)
        cs_wide_store(y + v * CS_WIDE, sum[v]);
    if (more)
        cs_wide_store_some(y + wide * CS_WIDE, some, rest);
}

/* One lane: y[rows] = a x[cols], given at[cols][rows], the transpose of a:
 * the vectors run along the rows. The bits of cs_product. */
static inline void cs_product_one(const double *at, size_t rows, size_t cols,
                                  const double *x, double *y)
{
    size_t whole = rows / CS_WIDE;
    bool more = rows % CS_WIDE != 0;
    cs_wide_some some = cs_wide_mask(rows % CS_WIDE);
    for (; whole > CS_TILE_ONE - 2; whole -= CS_TILE_ONE - 2) {
        size_t wide = CS_TILE_ONE - 2;
        cs_product_rows(at, rows, cols, x, CS_TILE_ONE - 2, false, some, y);
        at += wide * CS_WIDE;
        y += wide * CS_WIDE;
    }
#define CS_PRODUCT_END(wide)                                                   \
    case wide:                                                                 \
        if (more)                                                              \
            cs_product_rows(at, rows, cols, x, wide, true, some, y);           \
        else                                                                   \
            cs_product_rows(at, rows, cols, x, wide, false, some, y);          \
        break;
    switch (whole) {
        CS_PRODUCT_END(0)
        CS_PRODUCT_END(1)
        CS_PRODUCT_END(2)
        CS_PRODUCT_END(3)
        CS_PRODUCT_END(4)
        CS_PRODUCT_END(5)
        CS_PRODUCT_END(6)
    }
#undef CS_PRODUCT_END
}

#endif
