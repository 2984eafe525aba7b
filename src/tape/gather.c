/* Rows picked anywhere become columns: eight rows of eight numbers at a time are
 * transposed in registers. The rows to come are prefetched well ahead: a row
 * that is in no cache takes as long as some fifty multiplications. */
#include "simd/simd.h"
#include "tape/columns.h"

#include <string.h>

enum { AHEAD = 16, LINE = 8 };

#define INLINE static inline __attribute__((always_inline))

/* Of two vectors: what of them makes the low one, and the high one. */
#define LO4 0, 1, 2, 3, 8, 9, 10, 11
#define HI4 4, 5, 6, 7, 12, 13, 14, 15
#define LO2 0, 1, 8, 9, 4, 5, 12, 13
#define HI2 2, 3, 10, 11, 6, 7, 14, 15
#define LO1 0, 8, 2, 10, 4, 12, 6, 14
#define HI1 1, 9, 3, 11, 5, 13, 7, 15

/* out[j][i] = in[i][j], in three rounds of halves, quarters and eighths. */
INLINE void transpose(const cs_vd *in, cs_vd *out)
{
    cs_vd a[8], b[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        a[i] = __builtin_shufflevector(in[i], in[i + 4], LO4);
        a[i + 4] = __builtin_shufflevector(in[i], in[i + 4], HI4);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        int k = i / 2 * 4 + i % 2;
        b[k] = __builtin_shufflevector(a[k], a[k + 2], LO2);
        b[k + 2] = __builtin_shufflevector(a[k], a[k + 2], HI2);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        out[i] = __builtin_shufflevector(b[i], b[i + 1], LO1);
        out[i + 1] = __builtin_shufflevector(b[i], b[i + 1], HI1);
    }
}

/* The n columns of eight rows, into to[n][lanes]. */
INLINE void gather_columns(const double *const *row, size_t j, size_t n,
                           size_t lanes, double *to)
{
    cs_vd in[8], out[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        in[i] = cs_load(row[i] + j);
    transpose(in, out);
#pragma GCC unroll 8
    for (size_t k = 0; k < n; k++)
        cs_store(to + (j + k) * lanes, out[k]);
}

/* The last columns, fewer than eight: with their number known, what is not
 * stored is not transposed. */
static void gather_last_columns(const double *const *row, size_t j, size_t n,
                                size_t lanes, double *to)
{
    switch (n) {
#define LAST(n)                                                                \
    case n:                                                                    \
        gather_columns(row, j, n, lanes, to);                                  \
        break;
        LAST(1)
        LAST(2)
        LAST(3)
        LAST(4)
        LAST(5)
        LAST(6)
        LAST(7)
#undef LAST
    }
}

/* Eight rows that begin at row[8], into to[width][lanes]. */
INLINE void gather_eight_rows(const double *const *row, size_t width,
                              size_t lanes, double *to)
{
    size_t j = 0;
    for (; j + LINE <= width; j += LINE)
        gather_columns(row, j, LINE, lanes, to);
    gather_last_columns(row, j, width - j, lanes, to);
}

static void gather(const cs_columns *c, const uint32_t *index, size_t n,
                   size_t lanes, double *to)
{
    for (size_t first = 0; first < lanes; first += 8) {
        const double *row[8];
        for (size_t i = 0; i < 8; i++) {
            size_t at = first + i < n ? first + i : n - 1;
            size_t next = at + AHEAD < n ? at + AHEAD : n - 1;
            row[i] = c->row + index[at] * c->stride;
            for (size_t j = 0; j < c->stride; j += LINE)
                __builtin_prefetch(c->row + index[next] * c->stride + j);
        }
        gather_eight_rows(row, c->width, lanes, to + first);
    }
}

const cs_gather_ops CS_VARIANT(cs_gather_ops) = {.gather = gather};
