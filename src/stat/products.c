/* Tiles of at most four rows and two vectors, which fit in registers: see
 * stat/products.h. The functions are called in hot loops. */
#include "stat/products.h"

#include "simd/vmath.h"

#include <stdbool.h>

#if defined(__AVX__)
enum { TILE = CS_PRODUCT_ROWS, WIDE = 2 };
#else /* registers suffice for one vector of four numbers */
enum { TILE = CS_PRODUCT_ROWS, WIDE = 1 };
#endif

/* Computes out = keep * out + the sum over r of left[r ls + k lk] * right[r rs
 * + v]. */
static inline __attribute__((always_inline)) void
tile(const double *left, size_t ls, size_t lk, const double *right, size_t rs,
     size_t rows, bool keep, double *out, size_t os)
{
    cs_vd sum[TILE][WIDE];
    for (size_t k = 0; k < TILE; k++)
        for (size_t v = 0; v < WIDE; v++)
            sum[k][v] = cs_vset(0);
    for (size_t r = 0; r < rows; r++) {
        cs_vd x[WIDE];
        for (size_t v = 0; v < WIDE; v++)
            x[v] = cs_load(right + r * rs + v * CS_VECTOR);
#pragma GCC unroll 4
        for (size_t k = 0; k < TILE; k++)
            for (size_t v = 0; v < WIDE; v++)
                sum[k][v] += left[r * ls + k * lk] * x[v];
    }
    for (size_t k = 0; k < TILE; k++)
        for (size_t v = 0; v < WIDE; v++) {
            double *to = out + k * os + v * CS_VECTOR;
            cs_store(to, (keep ? cs_load(to) : cs_vset(0)) + sum[k][v]);
        }
}

static void inner(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t rows, double *out, size_t os)
{
    for (size_t i = 0; i < m; i += TILE)
        for (size_t j = 0; j < n; j += WIDE * CS_VECTOR)
            tile(a + i, as, 1, b + j, bs, rows, true, out + i * os + j, os);
}

enum { STRIP = WIDE * CS_VECTOR };

/* Copies the columns of b into strips of contiguous memory, which is prefetched
 * well. Each strip is read many times. */
static void pack(const double *b, size_t bs, size_t n, size_t k,
                 double *scratch)
{
    for (size_t j = 0; j < n; j += STRIP)
        for (size_t r = 0; r < k; r++, scratch += STRIP)
            for (size_t v = 0; v < STRIP; v += CS_VECTOR)
                cs_store(scratch + v, cs_load(b + r * bs + j + v));
}

/* Reads the larger matrix only once. */
static void times(const double *a, size_t as, size_t m, const double *b,
                  size_t bs, size_t n, size_t k, double *scratch, double *out,
                  size_t os)
{
    pack(b, bs, n, k, scratch);
    for (size_t i = 0; i < m; i += TILE)
        for (size_t j = 0; j < n; j += STRIP)
            tile(a + i * as, 1, as, scratch + j * k, STRIP, k, false,
                 out + i * os + j, os);
}

const cs_products CS_VARIANT(cs_products_hot) = {inner, times};
