/* A matrix times a block of chains, y[i][lane] = sum_j a[i][j] x[j][lane], in
 * registers, for doubles and for floats.
 *
 * Each y is one sequence of fused multiply-adds over j = 0, 1, ... from zero,
 * for any number of lanes and any instruction set, so results are equal bit for
 * bit. Tiles of rows x vectors remain in registers during the whole sum. Each
 * load of x therefore serves several rows, and each load of a serves several
 * lanes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#if defined(__FMA__)
#include "simd/intrinsics.h"
#endif

/* For each kind of number: the vector type with its fused multiply-add, and the
 * sizes of tiles that fit into the registers. A tile has TILE_ROWS x TILE
 * vectors; the sizes are for 32 or 16 registers. TILE_ONE is the size for a
 * product with a single lane. */
enum { CS_TILE_ONE_MOST = 6 };

#if defined(__AVX512F__)
typedef __m512d cs_8d_vector;
typedef __mmask8 cs_8d_some;
enum {
    cs_8d_WIDE = 8,
    cs_8d_TILE_ROWS = 6,
    cs_8d_TILE = 4,
    cs_8d_TILE_ONE = 4
};
#define cs_8d_load _mm512_loadu_pd
#define cs_8d_store _mm512_storeu_pd
#define cs_8d_all _mm512_set1_pd
#define cs_8d_fma _mm512_fmadd_pd
#define cs_8d_mask(n) ((__mmask8)((1u << (n)) - 1))
#define cs_8d_load_some(p, mask) _mm512_maskz_loadu_pd(mask, p)
#define cs_8d_store_some(p, mask, v) _mm512_mask_storeu_pd(p, mask, v)
#define CS_KIND(part) cs_8d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_tiles.h"

/* With 32 chains, a row is two vectors; the tile therefore has many rows and
 * only a few vectors per row. */
typedef __m512 cs_16f_vector;
typedef __mmask16 cs_16f_some;
enum {
    cs_16f_WIDE = 16,
    cs_16f_TILE_ROWS = 12,
    cs_16f_TILE = 2,
    cs_16f_TILE_ONE = 4
};
#define cs_16f_load _mm512_loadu_ps
#define cs_16f_store _mm512_storeu_ps
#define cs_16f_all _mm512_set1_ps
#define cs_16f_fma _mm512_fmadd_ps
#define cs_16f_mask(n) ((__mmask16)((1u << (n)) - 1))
#define cs_16f_load_some(p, mask) _mm512_maskz_loadu_ps(mask, p)
#define cs_16f_store_some(p, mask, v) _mm512_mask_storeu_ps(p, mask, v)
#define CS_KIND(part) cs_16f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_tiles.h"
#endif

#if defined(__FMA__)
typedef __m256d cs_4d_vector;
typedef __m256i cs_4d_some;
enum {
    cs_4d_WIDE = 4,
    cs_4d_TILE_ROWS = 6,
    cs_4d_TILE = 2,
    cs_4d_TILE_ONE = 6
};
#define cs_4d_load _mm256_loadu_pd
#define cs_4d_store _mm256_storeu_pd
#define cs_4d_all _mm256_set1_pd
#define cs_4d_fma _mm256_fmadd_pd
#define cs_4d_mask(n)                                                          \
    _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(n)),                     \
                       _mm256_set_epi64x(3, 2, 1, 0))
#define cs_4d_load_some(p, mask) _mm256_maskload_pd(p, mask)
#define cs_4d_store_some(p, mask, v) _mm256_maskstore_pd(p, mask, v)
#define CS_KIND(part) cs_4d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_tiles.h"

typedef __m256 cs_8f_vector;
typedef __m256i cs_8f_some;
enum {
    cs_8f_WIDE = 8,
    cs_8f_TILE_ROWS = 6,
    cs_8f_TILE = 2,
    cs_8f_TILE_ONE = 6
};
#define cs_8f_load _mm256_loadu_ps
#define cs_8f_store _mm256_storeu_ps
#define cs_8f_all _mm256_set1_ps
#define cs_8f_fma _mm256_fmadd_ps
#define cs_8f_mask(n)                                                          \
    _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n)),                            \
                       _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0))
#define cs_8f_load_some(p, mask) _mm256_maskload_ps(p, mask)
#define cs_8f_store_some(p, mask, v) _mm256_maskstore_ps(p, mask, v)
#define CS_KIND(part) cs_8f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_tiles.h"

/* The kind that is used for the last lanes, if these do not fill a vector of
 * eight. */
typedef __m128 cs_4f_vector;
typedef __m128i cs_4f_some;
enum {
    cs_4f_WIDE = 4,
    cs_4f_TILE_ROWS = 6,
    cs_4f_TILE = 1,
    cs_4f_TILE_ONE = 6
};
#define cs_4f_load _mm_loadu_ps
#define cs_4f_store _mm_storeu_ps
#define cs_4f_all _mm_set1_ps
#define cs_4f_fma _mm_fmadd_ps
#define cs_4f_mask(n)                                                          \
    _mm_cmpgt_epi32(_mm_set1_epi32((int)(n)), _mm_set_epi32(3, 2, 1, 0))
#define cs_4f_load_some(p, mask) _mm_maskload_ps(p, mask)
#define cs_4f_store_some(p, mask, v) _mm_maskstore_ps(p, mask, v)
#define CS_KIND(part) cs_4f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_tiles.h"
#endif

#if !defined(__FMA__)
typedef double cs_1d_vector;
typedef int cs_1d_some;
enum {
    cs_1d_WIDE = 1,
    cs_1d_TILE_ROWS = 6,
    cs_1d_TILE = 2,
    cs_1d_TILE_ONE = 6
};
#define cs_1d_load(p) (*(p))
#define cs_1d_store(p, v) (*(p) = (v))
#define cs_1d_all(s) (s)
#define cs_1d_fma __builtin_fma
#define cs_1d_mask(n) ((n) > 0)
#define cs_1d_load_some(p, mask) ((mask) ? *(p) : 0)
#define cs_1d_store_some(p, mask, v) (void)((mask) ? *(p) = (v) : 0)
#define CS_KIND(part) cs_1d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_tiles.h"

typedef float cs_1f_vector;
typedef int cs_1f_some;
enum {
    cs_1f_WIDE = 1,
    cs_1f_TILE_ROWS = 6,
    cs_1f_TILE = 2,
    cs_1f_TILE_ONE = 6
};
#define cs_1f_load cs_1d_load
#define cs_1f_store cs_1d_store
#define cs_1f_all cs_1d_all
#define cs_1f_fma __builtin_fmaf
#define cs_1f_mask cs_1d_mask
#define cs_1f_load_some cs_1d_load_some
#define cs_1f_store_some cs_1d_store_some
#define CS_KIND(part) cs_1f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_tiles.h"
#endif

/* Computes y[rows][lanes] = a[rows][cols] x[cols][lanes]. The rows of a are
 * `stride` numbers apart. The number of lanes is a multiple of the vector
 * size. */
static inline void cs_matmul(const double *a, size_t rows, size_t stride,
                             size_t cols, const double *x, size_t lanes,
                             double *y)
{
#if defined(__AVX512F__)
    cs_8d_lanes(a, rows, stride, cols, x, 0, lanes, y);
#elif defined(__FMA__)
    cs_4d_lanes(a, rows, stride, cols, x, 0, lanes, y);
#else
    cs_1d_lanes(a, rows, stride, cols, x, 0, lanes, y);
#endif
}

static inline void cs_matmul_float(const float *a, size_t rows, size_t stride,
                                   size_t cols, const float *x, size_t lanes,
                                   float *y)
{
#if defined(__AVX512F__)
    size_t l = cs_16f_lanes(a, rows, stride, cols, x, 0, lanes, y);
    cs_8f_lanes(a, rows, stride, cols, x, l, lanes, y);
#elif defined(__FMA__)
    size_t l = cs_8f_lanes(a, rows, stride, cols, x, 0, lanes, y);
    cs_4f_lanes(a, rows, stride, cols, x, l, lanes, y);
#else
    cs_1f_lanes(a, rows, stride, cols, x, 0, lanes, y);
#endif
}

/* Computes y[rows] = a x[cols] for a single lane, given at[cols][stride], the
 * transpose of a. Vectors extend along the rows. The result has the same bits
 * as that of cs_matmul. A matrix is often larger than the nearest cache:
 * callers that multiply by it repeatedly alternate the direction (`back`), so
 * that the last tiles are still in the cache. */
static inline void cs_matvec(const double *at, size_t rows, size_t stride,
                             size_t cols, const double *x, bool back, double *y)
{
#if defined(__AVX512F__)
    cs_8d_one(at, rows, stride, cols, x, back, y);
#elif defined(__FMA__)
    cs_4d_one(at, rows, stride, cols, x, back, y);
#else
    cs_1d_one(at, rows, stride, cols, x, back, y);
#endif
}

static inline void cs_matvec_float(const float *at, size_t rows, size_t stride,
                                   size_t cols, const float *x, bool back,
                                   float *y)
{
#if defined(__AVX512F__)
    cs_16f_one(at, rows, stride, cols, x, back, y);
#elif defined(__FMA__)
    cs_8f_one(at, rows, stride, cols, x, back, y);
#else
    cs_1f_one(at, rows, stride, cols, x, back, y);
#endif
}
