/* Vector operations over the columns of rows, for targets that are sums over
 * rows. Include this file only in files that are compiled once per instruction
 * set. Sums over columns and over rows have four partial sums in every
 * instruction set, whatever its register width. */
#pragma once

#include "simd/vlanes.h"
#include "simd/vmath.h"
#include "simd/vwide.h"
#include "targets/real/row_table.h"

#include <math.h>
#include <string.h>

#define CS_ROW_INLINE static inline __attribute__((always_inline))

typedef double cs_near
    __attribute__((vector_size(32), aligned(8), may_alias)); /* four unaligned
                                                                numbers */

CS_ROW_INLINE cs_four cs_row_fma(cs_four a, cs_four b, cs_four c)
{
#if defined(__FMA__)
    return (cs_four)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    for (unsigned i = 0; i < 4; i++)
        c[i] = __builtin_fma(a[i], b[i], c[i]);
    return c;
#endif
}

CS_ROW_INLINE cs_four cs_row_four(const double *p)
{
    return (cs_four) * (const cs_near *)p;
}

/* Returns the sums of four rows, by adding the four partial sums s[k] of each
 * row k. */
CS_ROW_INLINE cs_four cs_row_sums(const cs_four *s)
{
    cs_four even = __builtin_shufflevector(s[0], s[2], 0, 1, 4, 5) +
                   __builtin_shufflevector(s[0], s[2], 2, 3, 6, 7);
    cs_four odd = __builtin_shufflevector(s[1], s[3], 0, 1, 4, 5) +
                  __builtin_shufflevector(s[1], s[3], 2, 3, 6, 7);
    return __builtin_shufflevector(even, odd, 0, 4, 2, 6) +
           __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

/* Returns the inner products of four rows with b[n]. The rows and b are padded
 * to multiples of four. */
CS_ROW_INLINE cs_four cs_row_products(size_t n, const double *b,
                                      const double *r0, const double *r1,
                                      const double *r2, const double *r3)
{
    cs_four s[4] = {{0}, {0}, {0}, {0}};
    for (size_t j = 0; j < n; j += 4) {
        cs_four f = *(const cs_four *)(b + j);
        s[0] = cs_row_fma(cs_row_four(r0 + j), f, s[0]);
        s[1] = cs_row_fma(cs_row_four(r1 + j), f, s[1]);
        s[2] = cs_row_fma(cs_row_four(r2 + j), f, s[2]);
        s[3] = cs_row_fma(cs_row_four(r3 + j), f, s[3]);
    }
    return cs_row_sums(s);
}

/* Returns the sum of eight numbers, added as a balanced tree. */
CS_ROW_INLINE double cs_row_tree(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Returns whether lane l is to be evaluated. */
CS_ROW_INLINE bool cs_row_asked(const cs_point *at, size_t l)
{
    return !at->failed || !at->failed[l];
}

/* One number for each of CS_PAD rows. */
typedef struct cs_row_eight {
    cs_vd v[CS_PAD / CS_VECTOR];
} cs_row_eight;

/* Writes to `to` the addresses of eight rows of a lane's batch: the rows row[0
 * .. n), then the first row again for each missing row. Prefetches later rows
 * of the lane. These rows are far enough ahead to hide the latency of memory,
 * but not so far that they are evicted before use. */
CS_ROW_INLINE void cs_row_picks(const cs_row_table *t, const uint32_t *row,
                                size_t n, size_t left, const double **to)
{
    enum { AHEAD = 32 };
    if (left > AHEAD)
        cs_row_fetch(t, row + AHEAD,
                     left - AHEAD < CS_PAD ? left - AHEAD : CS_PAD);
    for (size_t a = 0; a < CS_PAD; a++)
        to[a] = cs_row_at(t, row[a < n ? a : 0]);
}

/* Returns the inner products of eight rows with b[cols]. The list of row
 * numbers starts at `pick`, and b is padded with zeros. `left` is the number of
 * rows that the lane has left, including these rows. */
CS_ROW_INLINE cs_row_eight cs_row_picked(const cs_row_table *t, const double *b,
                                         const uint32_t *pick, size_t left,
                                         const double **row)
{
    union {
        cs_row_eight all;
        cs_four four[2];
    } e;
    cs_row_picks(t, pick, left < CS_PAD ? left : CS_PAD, left, row);
    for (size_t k = 0; k < 2; k++, row += 4)
        e.four[k] = cs_row_products(t->cols, b, row[0], row[1], row[2], row[3]);
    return e.all;
}

/* Returns the weights of n rows of lane l's batch, and 0 beyond n. `term` holds
 * the terms of these rows. */
CS_ROW_INLINE cs_row_eight cs_row_weights(const cs_batch *b, size_t l,
                                          size_t first, size_t n,
                                          const cs_row_eight *term)
{
    cs_row_eight w = {{cs_vset(0)}};
    if (b->weigh) {
        b->weigh(b->of, l, first, n, (const double *)term, (double *)&w);
        for (size_t p = 0, a = 0; a < CS_PAD; p++, a += CS_VECTOR)
            w.v[p] = cs_first(w.v[p], n > a ? n - a : 0);
        return w;
    }
    for (size_t a = 0; a < n; a++)
        w.v[a / CS_VECTOR][a % CS_VECTOR] =
            b->weight ? b->weight[first + a] : 1;
    return w;
}

/* Multiplies each of n rows by its element of by[n], and adds the products to
 * sum[cols]. n is a multiple of four. The rows start at `first` and are
 * `stride` apart, or they are at the addresses in `row`. */
CS_ROW_INLINE void cs_row_collect(const double *first, size_t stride,
                                  const double *const *row, size_t n,
                                  size_t cols, const double *by, double *sum)
{
    for (size_t j = 0; j < cols; j += CS_WIDE) {
        cs_wide s[4] = {cs_wide_of(0), cs_wide_of(0), cs_wide_of(0),
                        cs_wide_of(0)};
        for (size_t r = 0; r < n; r += 4)
            for (size_t a = 0; a < 4; a++) {
                const double *at = row ? row[r + a] : first + (r + a) * stride;
                s[a] = cs_wide_fma(cs_wide_of(by[r + a]), cs_wide_at(at + j),
                                   s[a]);
            }
        cs_wide_put(sum + j,
                    cs_wide_at(sum + j) + ((s[0] + s[1]) + (s[2] + s[3])));
    }
}

/* Computes m[lanes] = sqrt(sum_j rate_j (x_j - y_j)^2); if `rate` is NULL, all
 * rates are 1. */
CS_ROW_INLINE void cs_row_distance(const double *x, const double *y, size_t dim,
                                   size_t lanes, const double *rate, double *m)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t j = 0; j < dim; j++) {
            cs_vd d = cs_load(x + j * lanes + l) - cs_load(y + j * lanes + l);
            sum += (rate ? rate[j] : 1) * d * d;
        }
        cs_store(m + l, cs_vsqrt(sum));
    }
}

/* Copies the result of the last live lane to the padding lanes. */
CS_ROW_INLINE void cs_row_repeat(const cs_point *at, double *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t l = at->live; l < at->lanes; l++)
            of[i * at->lanes + l] = of[i * at->lanes + at->live - 1];
}

/* Implements change_measure as the distance between the states. */
static inline void cs_row_state_distance(const cs_target *t, const double *x,
                                         const double *y, size_t lanes,
                                         double *m)
{
    cs_row_distance(x, y, t->space.dim, lanes, NULL, m);
}

static inline void cs_row_fetch_of(const cs_target *t, const uint32_t *row,
                                   size_t n)
{
    cs_row_fetch(t->self, row, n);
}

/* The hooks of a target type whose `self` starts with a cs_row_table, as
 * members of the type. The type defines two functions: whole(t, at, logp, g)
 * for all rows, and some(t, at, b, logp, g) for the rows of batches. Both are
 * inlined for each combination of requested arrays. */
#define CS_ROW_HOOKS                                                           \
    static void log_density(const cs_target *t, const cs_point *at,            \
                            double *logp)                                      \
    {                                                                          \
        whole(t, at, logp, NULL);                                              \
    }                                                                          \
    static void gradient(const cs_target *t, const cs_point *at, double *logp, \
                         double *g)                                            \
    {                                                                          \
        whole(t, at, logp, g);                                                 \
    }                                                                          \
    static void gradient_alone(const cs_target *t, const cs_point *at,         \
                               double *g)                                      \
    {                                                                          \
        whole(t, at, NULL, g);                                                 \
    }                                                                          \
    static void terms(const cs_target *t, const cs_point *at,                  \
                      const cs_batch *b, double *logp)                         \
    {                                                                          \
        some(t, at, b, logp, NULL);                                            \
    }                                                                          \
    static void slope(const cs_target *t, const cs_point *at,                  \
                      const cs_batch *b, double *logp, double *g)              \
    {                                                                          \
        some(t, at, b, logp, g);                                               \
    }
#define CS_ROW_MEMBERS                                                         \
    .log_density = log_density, .gradient = gradient,                          \
    .gradient_alone = gradient_alone, .rows.terms = terms,                     \
    .rows.slope = slope, .rows.fetch = cs_row_fetch_of
