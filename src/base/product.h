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
enum { CS_WIDE = 8, CS_TILE = 4, CS_TILE_ONE = 4 };
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
enum { CS_WIDE = 4, CS_TILE = 2, CS_TILE_ONE = 6 };
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
enum { CS_WIDE = 1, CS_TILE = 2, CS_TILE_ONE = 6 };
#define cs_wide_load(p) (*(p))
#define cs_wide_store(p, v) (*(p) = (v))
#define cs_wide_all(s) (s)
#define cs_wide_fma __builtin_fma
#define cs_wide_mask(n) ((n) > 0)
#define cs_wide_load_some(p, mask) ((mask) ? *(p) : 0)
#define cs_wide_store_some(p, mask, v) (void)((mask) ? *(p) = (v) : 0)
typedef int cs_wide_some;
#endif
enum { CS_TILE_ROWS = 6 };

/* One tile: `rows` rows of a, `wide` vectors of lanes. Inlined
 * with constants for both, so that `sum` is registers. */
static inline __attribute__((always_inline)) void
cs_product_tile(const double *a, size_t rows, size_t stride, size_t cols,
                const double *x, size_t lanes, size_t wide, double *y)
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
            cs_wide factor = cs_wide_all(a[r * stride + j]);
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
cs_product_strip(const double *a, size_t rows, size_t stride, size_t cols,
                 const double *x, size_t lanes, size_t wide, double *y)
{
    size_t i = 0;
    for (; i + CS_TILE_ROWS <= rows; i += CS_TILE_ROWS)
        cs_product_tile(a + i * stride, CS_TILE_ROWS, stride, cols, x, lanes,
                        wide, y + i * lanes);
    for (; i + 2 <= rows; i += 2)
        cs_product_tile(a + i * stride, 2, stride, cols, x, lanes, wide,
                        y + i * lanes);
    for (; i < rows; i++)
        cs_product_tile(a + i * stride, 1, stride, cols, x, lanes, wide,
                        y + i * lanes);
}

/* y[rows][lanes] = a[rows][cols] x[cols][lanes]; the rows of a begin `stride`
 * numbers apart; lanes a multiple of 8. */
static inline void cs_product(const double *a, size_t rows, size_t stride,
                              size_t cols, const double *x, size_t lanes,
                              double *y)
{
    size_t l = 0;
    for (; l + CS_TILE * CS_WIDE <= lanes; l += CS_TILE * CS_WIDE)
        cs_product_strip(a, rows, stride, cols, x + l, lanes, CS_TILE, y + l);
    for (; l < lanes; l += CS_WIDE)
        cs_product_strip(a, rows, stride, cols, x + l, lanes, 1, y + l);
}

/* `wide` vectors of rows, and one more of the rows in `some` if `more`. */
static inline __attribute__((always_inline)) void
cs_product_rows(const double *at, size_t stride, size_t cols, const double *x,
                size_t wide, bool more, cs_wide_some some, double *y)
{
    cs_wide sum[CS_TILE_ONE], rest = cs_wide_all(0.0);
#pragma GCC unroll 16
    for (size_t v = 0; v < wide; v++)
        sum[v] = cs_wide_all(0.0);
    for (size_t j = 0; j < cols; j++) {
        const double *a = at + j * stride;
        cs_wide in = cs_wide_all(x[j]);
#pragma GCC unroll 16
        for (size_t v = 0; v < wide; v++)
            sum[v] = cs_wide_fma(cs_wide_load(a + v * CS_WIDE), in, sum[v]);
        if (more)
            rest = cs_wide_fma(cs_wide_load_some(a + wide * CS_WIDE, some), in,
                               rest);
    }
#pragma GCC unroll 16
    for (size_t v = 0; v < wide; v++)
        cs_wide_store(y + v * CS_WIDE, sum[v]);
    if (more)
        cs_wide_store_some(y + wide * CS_WIDE, some, rest);
}

/* The last tile: up to CS_TILE_ONE vectors of rows, and what is left. */
static inline void cs_product_rest(const double *at, size_t rows, size_t stride,
                                   size_t cols, const double *x, double *y)
{
    bool more = rows % CS_WIDE != 0;
    cs_wide_some some = cs_wide_mask(rows % CS_WIDE);
#define CS_PRODUCT_REST(wide)                                                  \
    case wide:                                                                 \
        if (more)                                                              \
            cs_product_rows(at, stride, cols, x, wide, true, some, y);         \
        else                                                                   \
            cs_product_rows(at, stride, cols, x, wide, false, some, y);        \
        break;
    switch (rows / CS_WIDE) {
        CS_PRODUCT_REST(0)
        CS_PRODUCT_REST(1)
        CS_PRODUCT_REST(2)
        CS_PRODUCT_REST(3)
        CS_PRODUCT_REST(4)
#if !defined(__AVX512F__)
        CS_PRODUCT_REST(5)
        CS_PRODUCT_REST(6)
#endif
    }
#undef CS_PRODUCT_REST
}

/* One lane: y[rows] = a x[cols], given at[cols][stride], the transpose of a:
 * the vectors run along the rows. The bits of cs_product. A matrix is often
 * larger than the nearest cache: who multiplies by it again and again goes
 * through its tiles to and fro (`back`), to find the last one still there. */
static inline void cs_product_one(const double *at, size_t rows, size_t stride,
                                  size_t cols, const double *x, bool back,
                                  double *y)
{
    enum { TILE = CS_TILE_ONE * CS_WIDE };
    size_t tiles = rows / TILE;
    if (tiles && rows - tiles * TILE < CS_WIDE) /* no tile of next to nothing */
        tiles--;
    for (size_t k = 0; k <= tiles; k++) {
        size_t i = (back ? tiles - k : k) * TILE;
        if (i < tiles * TILE)
            cs_product_rows(at + i, stride, cols, x, CS_TILE_ONE, false,
                            cs_wide_mask(0), y + i);
        else
            cs_product_rest(at + i, rows - i, stride, cols, x, y + i);
    }
}

#endif
