/* Products with the factor L of a metric, S = L L', over the arrays of a step:
 * rows of lanes or, for a single chain, packed arrays. Both layouts give the
 * same bits: each element is a sum in the order of its terms, and a unit factor
 * returns its input exactly. */
#pragma once

#include "kernel/lanes.h"
#include "kernel/metric.h"

/* Computes out = diag(sd) v or, with `inverse`, out = v / sd. */
static inline __attribute__((always_inline)) void
cs_metric_scale(const cs_metric *g, cs_span s, bool inverse, const double *v,
                double *out)
{
    if (s.packed) {
        for (size_t d = 0; d < s.end; d += CS_VECTOR) {
            cs_vd sd = cs_load(g->sd + d), a = cs_load(v + d);
            cs_vd by = cs_vselect(sd == 0.0, cs_vset(1), sd); /* sd is 0 in
                                                                 elements beyond
                                                                 dim */
            cs_store(out + d, inverse ? a / by : a * by);
        }
        return;
    }
    for (size_t d = 0, at = 0; at < s.end; d++)
        for (size_t l = 0; l < s.by; l += CS_VECTOR, at += CS_VECTOR) {
            cs_vd a = cs_load(v + at);
            cs_store(out + at, inverse ? a / g->sd[d] : a * g->sd[d]);
        }
}

/* Returns the elements of a vector from `skip` on, and zeros before them. */
static inline cs_vd cs_metric_from(cs_vd v, size_t skip)
{
    const cs_vi place = {CS_COUNT_UP};
    return cs_vselect(place < (int64_t)skip, cs_vset(0), v);
}

/* Computes the product for a single chain by adding scaled columns. Leaves out
 * the elements outside the triangle, also if some v[j] is not finite. */
static inline __attribute__((always_inline)) void
cs_metric_times_packed(const double *columns, bool upper, const cs_metric *g,
                       cs_span s, const double *v, double *out)
{
    size_t n = g->dim, last = (n - 1) / CS_VECTOR * CS_VECTOR;
    for (size_t d = 0; d < s.end; d += CS_VECTOR)
        cs_store(out + d, cs_vset(0));
    for (size_t j = 0; j < n; j++) {
        const double *column = columns + j * g->stride;
        size_t edge = j / CS_VECTOR * CS_VECTOR;
        cs_vd at = cs_load(column + edge) * v[j];
        at = upper ? cs_first(at, j + 1 - edge) : cs_metric_from(at, j - edge);
        cs_store(out + edge, cs_load(out + edge) + at);
        size_t first = upper ? 0 : edge + CS_VECTOR, end = upper ? edge : n;
        for (size_t d = first; d < end; d += CS_VECTOR)
            cs_store(out + d, cs_load(out + d) + cs_load(column + d) * v[j]);
    }
    cs_store(out + last, cs_first(cs_load(out + last), n - last));
}

/* Computes out[i] = sum over j of rows[i][j] v[j] for a triangle: by rows or,
 * for a single chain, by columns. Terms are added in the order of j. */
static inline __attribute__((always_inline)) void
cs_metric_times(const double *rows, const double *columns, bool upper,
                const cs_metric *g, cs_span s, const double *v, double *out)
{
    size_t n = g->dim;
    if (s.packed) {
        cs_metric_times_packed(columns, upper, g, s, v, out);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double *row = rows + i * g->stride;
        size_t first = upper ? i : 0, end = upper ? n : i + 1;
        for (size_t l = 0; l < s.by; l += CS_VECTOR) {
            cs_vd sum = cs_vset(0);
            for (size_t j = first; j < end; j++)
                sum += cs_load(v + j * s.by + l) * row[j];
            cs_store(out + i * s.by + l, sum);
        }
    }
}

/* Computes out = L v, which converts a displacement of z to a displacement of
 * x. The arrays `out` and v must differ. */
static inline void cs_metric_product(const cs_metric *g, cs_span s,
                                     const double *v, double *out)
{
    if (g->kind == CS_METRIC_DIAGONAL)
        cs_metric_scale(g, s, false, v, out);
    else
        cs_metric_times(g->lower, g->upper, false, g, s, v, out);
}

/* Computes out = L' v, which converts a gradient with respect to x to a
 * gradient with respect to z. The arrays `out` and v must differ. */
static inline void cs_metric_product_transposed(const cs_metric *g, cs_span s,
                                                const double *v, double *out)
{
    if (g->kind == CS_METRIC_DIAGONAL)
        cs_metric_scale(g, s, false, v, out);
    else
        cs_metric_times(g->upper, g->lower, true, g, s, v, out);
}

/* Computes v = L^-1 v in place, which converts a difference of positions to
 * z. */
static inline void cs_metric_solve(const cs_metric *g, cs_span s, double *v)
{
    if (g->kind == CS_METRIC_DIAGONAL) {
        cs_metric_scale(g, s, true, v, v);
        return;
    }
    for (size_t j = 0; j < g->dim; j++) {
        const double *column = g->upper + j * g->stride;
        double pivot = column[j];
        if (s.packed) {
            double z = v[j] /= pivot;
            for (size_t i = j + 1; i < g->dim; i++)
                v[i] -= column[i] * z;
            continue;
        }
        for (size_t l = 0; l < s.by; l += CS_VECTOR) {
            cs_vd z = cs_load(v + j * s.by + l) / pivot;
            cs_store(v + j * s.by + l, z);
            for (size_t i = j + 1; i < g->dim; i++) {
                double *to = v + i * s.by + l;
                cs_store(to, cs_load(to) - column[i] * z);
            }
        }
    }
}

/* Returns L v, or v itself if there is no metric. */
static inline const double *cs_metric_product_or_same(const cs_metric *g,
                                                      cs_span s,
                                                      const double *v,
                                                      double *scratch)
{
    if (!g)
        return v;
    cs_metric_product(g, s, v, scratch);
    return scratch;
}
