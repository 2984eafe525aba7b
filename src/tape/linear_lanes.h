/* Cumulative sums, matrix products, triangular systems and Cholesky factors
 * over the lanes of a block: see cs_op_linear for the definitions. */
#pragma once

#include "simd/vmath.h"

#include <math.h>

/* Rows of lanes (`step` is the distance between rows), or numbers that are
 * equal in all lanes. */
typedef struct cs_lane_rows {
    const double *p;
    size_t step;
    int number;
} cs_lane_rows;

static inline cs_vd cs_lane(cs_lane_rows r, size_t i, size_t l)
{
    return r.number ? cs_vset(r.p[i * r.step]) : cs_load(r.p + i * r.step + l);
}

static inline void cs_lanes_cumulate(cs_lane_rows a, size_t n, int from_end,
                                     size_t lanes, double *out)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t k = 0; k < n; k++) {
            size_t i = from_end ? n - 1 - k : k;
            sum += cs_lane(a, i, l);
            cs_store(out + i * lanes + l, sum);
        }
    }
}

/* Computes out[k], the sum of factor * a[i] * b[j] over the terms {factor, to,
 * i, j} with to = k. The terms are sorted by `to`. */
static inline void cs_lanes_bilinear(const double *term, size_t n,
                                     cs_lane_rows a, cs_lane_rows b,
                                     size_t size, size_t lanes, double *out)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        for (size_t i = 0, k = 0; i < size; i++) {
            cs_vd sum = cs_vset(0);
            for (; k < n && term[4 * k + 1] == (double)i; k++) {
                const double *t = term + 4 * k;
                sum += t[0] * cs_lane(a, (size_t)t[2], l) *
                       cs_lane(b, (size_t)t[3], l);
            }
            cs_store(out + i * lanes + l, sum);
        }
}

static inline void cs_lanes_solve(cs_lane_rows a, size_t n, int transposed,
                                  cs_lane_rows b, size_t m, size_t lanes,
                                  double *x)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        for (size_t k = 0; k < n; k++) {
            size_t i = transposed ? n - 1 - k : k;
            cs_vd over = 1 / cs_lane(a, i * n + i, l);
            for (size_t c = 0; c < m; c++) {
                cs_vd rest = cs_lane(b, i * m + c, l);
                for (size_t q = 0; q < k; q++) {
                    size_t j = transposed ? n - 1 - q : q;
                    size_t at = transposed ? j * n + i : i * n + j;
                    rest -= cs_lane(a, at, l) *
                            cs_load(x + (j * m + c) * lanes + l);
                }
                cs_store(x + (i * m + c) * lanes + l, rest * over);
            }
        }
}

static inline void cs_lanes_cholesky(cs_lane_rows a, size_t n, size_t lanes,
                                     double *out)
{
    cs_vd none = cs_vset(0);
    for (size_t l = 0; l < lanes; l += CS_VECTOR)
        for (size_t j = 0; j < n; j++) {
            cs_vd pivot = cs_lane(a, j * n + j, l);
            for (size_t k = 0; k < j; k++) {
                cs_vd v = cs_load(out + (j * n + k) * lanes + l);
                pivot -= v * v;
            }
            cs_vi real = pivot > 0.0;
            pivot = cs_vsqrt(cs_vselect(real, pivot, none));
            for (size_t i = 0; i < n; i++) {
                cs_vd rest = cs_lane(a, i * n + j, l);
                for (size_t k = 0; k < j && i > j; k++)
                    rest -= cs_load(out + (i * n + k) * lanes + l) *
                            cs_load(out + (j * n + k) * lanes + l);
                cs_store(out + (i * n + j) * lanes + l,
                         i < j    ? none
                         : i == j ? pivot
                                  : cs_vselect(real, rest / pivot, none));
            }
        }
}

/* Computes `tall` elements of column k of f below the diagonal, from row i on,
 * and also stores them in row k. */
static inline __attribute__((always_inline)) void
cs_lanes_back_column(cs_lane_rows l, cs_lane_rows w, size_t n, size_t k,
                     size_t i, int tall, size_t lanes, size_t at, double *f)
{
    cs_vd rest[4], over = 1 / cs_lane(l, k * n + k, at);
#pragma GCC unroll 4
    for (int t = 0; t < tall; t++)
        rest[t] = cs_lane(w, (i + (size_t)t) * n + k, at);
    for (size_t j = k + 1; j < n; j++) {
        cs_vd by = cs_lane(l, j * n + k, at);
#pragma GCC unroll 4
        for (int t = 0; t < tall; t++)
            rest[t] -= cs_load(f + (j * n + i + (size_t)t) * lanes + at) * by;
    }
#pragma GCC unroll 4
    for (int t = 0; t < tall; t++) {
        size_t row = i + (size_t)t;
        cs_store(f + (row * n + k) * lanes + at, rest[t] * over);
        cs_store(f + (k * n + row) * lanes + at, rest[t] * over);
    }
}

/* Computes the operation CHOLESKY_BACK of cs_op_linear. */
static inline void cs_lanes_cholesky_back(cs_lane_rows l, cs_lane_rows w,
                                          size_t n, size_t lanes, double *f)
{
    for (size_t at = 0; at < lanes; at += CS_VECTOR) {
        for (size_t k = n; k-- > 0;) {
            cs_vd rest = cs_lane(w, k * n + k, at);
            cs_vd over = 1 / cs_lane(l, k * n + k, at);
            size_t i = k + 1;
            for (; i + 4 <= n; i += 4)
                cs_lanes_back_column(l, w, n, k, i, 4, lanes, at, f);
            for (; i < n; i++)
                cs_lanes_back_column(l, w, n, k, i, 1, lanes, at, f);
            for (i = k + 1; i < n; i++)
                rest -= cs_lane(l, i * n + k, at) *
                        cs_load(f + (i * n + k) * lanes + at);
            cs_store(f + (k * n + k) * lanes + at, rest * over);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = i; j < n; j++) {
                double *to = f + (i * n + j) * lanes + at;
                cs_vd half = 0.5 * cs_load(to);
                cs_store(to, i == j ? half : cs_vset(0));
            }
    }
}

/* Computes the norm of n elements, scaled by the largest element, so that
 * squares do not overflow. */
static inline void cs_lanes_norm(cs_lane_rows a, size_t n, size_t lanes,
                                 double *out)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd most = cs_vset(0), sum = cs_vset(0);
        for (size_t i = 0; i < n; i++)
            most = cs_vmax(cs_vabs(cs_lane(a, i, l)), most);
        cs_vi plain = (most > 0.0) & (most < CS_VM_INF);
        cs_vd over = cs_vselect(plain, most, cs_vset(1));
        for (size_t i = 0; i < n; i++) {
            cs_vd v = cs_lane(a, i, l) / over;
            sum += v * v;
        }
        cs_store(out + l, cs_vselect(plain, most * cs_vsqrt(sum), sum));
    }
}

static inline void cs_lanes_largest(cs_lane_rows a, size_t n, size_t lanes,
                                    double *out)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd most = cs_lane(a, 0, l);
        for (size_t i = 1; i < n; i++) {
            cs_vd v = cs_lane(a, i, l);
            most = cs_vselect((v > most) | (v != v), v, most);
        }
        cs_store(out + l, most);
    }
}
