/* Transposes selected rows to columns. Square blocks, with one row and one
 * column per lane of a vector, are transposed in registers. Later rows are
 * prefetched well ahead, because reading an uncached row takes the time of
 * about fifty multiplications. */
#include "simd/vlanes.h"
#include "tape/columns.h"

enum { AHEAD = 16, LINE = 8 };

#define INLINE static inline __attribute__((always_inline))

/* Transposes n columns, starting at j, of some rows to the array
 * to[n][lanes]. */
INLINE void gather_columns(const double *const *row, size_t j, size_t n,
                           size_t lanes, double *to)
{
    cs_vd v[CS_VECTOR];
#pragma GCC unroll 8
    for (size_t i = 0; i < CS_VECTOR; i++)
        v[i] = cs_load(row[i] + j);
    cs_vtranspose(v);
#pragma GCC unroll 8
    for (size_t k = 0; k < n; k++)
        cs_store(to + (j + k) * lanes, v[k]);
}

/* Transposes the last columns, which are fewer than a vector's lanes. The
 * compiler knows their number, and omits the transposition of unused
 * columns. */
static void gather_last_columns(const double *const *row, size_t j, size_t n,
                                size_t lanes, double *to)
{
    switch (n) {
#define LAST(n)                                                                \
    case n:                                                                    \
        gather_columns(row, j, n < CS_VECTOR ? n : 0, lanes, to);              \
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

/* Transposes CS_VECTOR rows, which start at row[0], row[1], ..., to the array
 * to[width][lanes]. */
INLINE void gather_rows(const double *const *row, size_t width, size_t lanes,
                        double *to)
{
    size_t j = 0;
    for (; j + CS_VECTOR <= width; j += CS_VECTOR)
        gather_columns(row, j, CS_VECTOR, lanes, to);
    gather_last_columns(row, j, width - j, lanes, to);
}

static void gather(const cs_columns *c, const uint32_t *index, size_t n,
                   size_t lanes, double *to)
{
    for (size_t first = 0; first < lanes; first += CS_VECTOR) {
        const double *row[CS_VECTOR];
        for (size_t i = 0; i < CS_VECTOR; i++) {
            size_t at = first + i < n ? first + i : n - 1;
            size_t next = at + AHEAD < n ? at + AHEAD : n - 1;
            row[i] = c->row + index[at] * c->stride;
            for (size_t j = 0; j < c->stride; j += LINE)
                __builtin_prefetch(c->row + index[next] * c->stride + j);
        }
        gather_rows(row, c->width, lanes, to + first);
    }
}

const cs_gather_ops CS_VARIANT(cs_gather_ops) = {.gather = gather};
