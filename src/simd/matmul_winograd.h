/* A matrix times a block of chains, y[i][lane] = sum_j a[i][j] x[j][lane], with
 * fewer multiplications: for a pair of columns
 *
 *     a0 x0 + a1 x1 = (a0 + x1) (a1 + x0) - a0 a1 - x0 x1,
 *
 * where the last two terms are summed once per row and once per lane (Winograd,
 * A New Algorithm for Inner Product, 1968). On cores that can add in parallel
 * with multiply-adds (AMD since Zen), two pairs in this way and one pair in the
 * usual way take the time of four multiply-adds instead of six; the measured
 * speedup is 1.45. Other cores need eight operations instead of six.
 *
 * The method is less accurate, because sums of elements of a and x are rounded.
 * If both have the same magnitude and mean 0, the error is that of an ordinary
 * sum. The caller scales and centres x.
 *
 * Every y is computed in one order, for any number of lanes and any instruction
 * set: results are equal bit for bit. */
#pragma once

#include "simd/matmul.h"

/* CS_PAIRS_ROUND: number of columns in a group. CS_PAIRS_OF_ROUND: number of
 * paired columns in the group, which are its first columns. Columns of an
 * incomplete last group are not paired. */
enum { CS_PAIRS_ROUND = 6, CS_PAIRS_OF_ROUND = 4 };

/* Returns the sum of a0 a1 over the pairs of one row. */
static inline double cs_winograd_row(const double *a, size_t cols)
{
    double sum = 0;
    for (size_t j = 0; j + CS_PAIRS_ROUND <= cols; j += CS_PAIRS_ROUND)
        for (size_t k = j; k < j + CS_PAIRS_OF_ROUND; k += 2)
            sum = __builtin_fma(a[k], a[k + 1], sum);
    return sum;
}

static inline float cs_winograd_row_float(const float *a, size_t cols)
{
    double sum = 0;
    for (size_t j = 0; j + CS_PAIRS_ROUND <= cols; j += CS_PAIRS_ROUND)
        for (size_t k = j; k < j + CS_PAIRS_OF_ROUND; k += 2)
            sum += (double)a[k] * (double)a[k + 1];
    return (float)sum;
}

/* Return x + *p and x * *p + sum in all lanes. With AVX-512 one instruction
 * reads *p from memory and operates on it; GCC 12 would first broadcast *p to a
 * register, which takes the slot of an addition. */
#if defined(__AVX512F__)
#define CS_PAIRS_BY_ALL(kind, number, type, places)                            \
    static inline kind##_vector kind##_plus_all(const number *p,               \
                                                kind##_vector x)               \
    {                                                                          \
        kind##_vector sum;                                                     \
        __asm__("vadd" type " %2%{1to" places "%}, %1, %0"                     \
                : "=v"(sum)                                                    \
                : "v"(x), "m"(*p));                                            \
        return sum;                                                            \
    }                                                                          \
    static inline kind##_vector kind##_fma_all(                                \
        const number *p, kind##_vector x, kind##_vector sum)                   \
    {                                                                          \
        __asm__("vfmadd231" type " %2%{1to" places "%}, %1, %0"                \
                : "+v"(sum)                                                    \
                : "v"(x), "m"(*p));                                            \
        return sum;                                                            \
    }
CS_PAIRS_BY_ALL(cs_8d, double, "pd", "8")
CS_PAIRS_BY_ALL(cs_16f, float, "ps", "16")
CS_PAIRS_BY_ALL(cs_8f, float, "ps", "8")

enum { cs_8d_PAIR_ROWS = 12, cs_8d_PAIR_TILE = 2 };
#define CS_KIND(part) cs_8d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_winograd_tiles.h"

enum { cs_16f_PAIR_ROWS = 12, cs_16f_PAIR_TILE = 2 };
enum { cs_8f_PAIR_ROWS = 12, cs_8f_PAIR_TILE = 1 };
#define CS_KIND(part) cs_16f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_winograd_tiles.h"

#elif defined(__FMA__)
#define cs_4d_plus_all(p, x) _mm256_add_pd(_mm256_set1_pd(*(p)), x)
#define cs_4d_fma_all(p, x, sum) _mm256_fmadd_pd(_mm256_set1_pd(*(p)), x, sum)
#define cs_8f_plus_all(p, x) _mm256_add_ps(_mm256_set1_ps(*(p)), x)
#define cs_8f_fma_all(p, x, sum) _mm256_fmadd_ps(_mm256_set1_ps(*(p)), x, sum)
#define cs_4f_plus_all(p, x) _mm_add_ps(_mm_set1_ps(*(p)), x)
#define cs_4f_fma_all(p, x, sum) _mm_fmadd_ps(_mm_set1_ps(*(p)), x, sum)

enum { cs_4d_PAIR_ROWS = 4, cs_4d_PAIR_TILE = 2 };
enum { cs_8f_PAIR_ROWS = 4, cs_8f_PAIR_TILE = 2 };
enum { cs_4f_PAIR_ROWS = 4, cs_4f_PAIR_TILE = 1 };
#define CS_KIND(part) cs_4d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_winograd_tiles.h"

#define CS_KIND(part) cs_4f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_winograd_tiles.h"
#endif

#if defined(__FMA__)
#define CS_KIND(part) cs_8f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_winograd_tiles.h"
#else
#define cs_1d_plus_all(p, x) (*(p) + (x))
#define cs_1d_fma_all(p, x, sum) __builtin_fma(*(p), x, sum)
#define cs_1f_plus_all cs_1d_plus_all
#define cs_1f_fma_all(p, x, sum) __builtin_fmaf(*(p), x, sum)

enum { cs_1d_PAIR_ROWS = 6, cs_1d_PAIR_TILE = 1 };
#define CS_KIND(part) cs_1d_##part
#define CS_KIND_NUMBER double
#include "simd/matmul_winograd_tiles.h"

enum { cs_1f_PAIR_ROWS = 6, cs_1f_PAIR_TILE = 1 };
#define CS_KIND(part) cs_1f_##part
#define CS_KIND_NUMBER float
#include "simd/matmul_winograd_tiles.h"
#endif

/* Computes y[rows][lanes] = a[rows][cols] x[cols][lanes], with own[rows] =
 * cs_winograd_row of each row of a. The rows of a are `stride` numbers apart.
 * The number of lanes is a multiple of the vector size. */
static inline void cs_matmul_winograd(const double *a, const double *own,
                                      size_t rows, size_t stride, size_t cols,
                                      const double *x, size_t lanes, double *y)
{
#if defined(__AVX512F__)
    cs_8d_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
#elif defined(__FMA__)
    cs_4d_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
#else
    cs_1d_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
#endif
}

static inline void cs_matmul_winograd_float(const float *a, const float *own,
                                            size_t rows, size_t stride,
                                            size_t cols, const float *x,
                                            size_t lanes, float *y)
{
#if defined(__AVX512F__)
    size_t l = cs_16f_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
    cs_8f_pairs(a, own, rows, stride, cols, x, l, lanes, y);
#elif defined(__FMA__)
    size_t l = cs_8f_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
    cs_4f_pairs(a, own, rows, stride, cols, x, l, lanes, y);
#else
    cs_1f_pairs(a, own, rows, stride, cols, x, 0, lanes, y);
#endif
}
