/* The arrays of a step, as kernels traverse them: rows of lanes or, for a
 * single chain, packed arrays. */
#pragma once

#include "kernel/kernel.h"
#include "simd/vlanes.h"

#include <assert.h>

/* Returns the values of parameter number k in all lanes. */
static inline const double *cs_move_param(const cs_move *m, size_t k)
{
    assert(k < CS_KERNEL_PARAMS);
    return m->param + k * m->lanes;
}

/* Describes how a loop traverses the arrays of a step: as x[dim][lanes], or
 * packed as x[dim] of a single chain, padded to whole vectors (if
 * cs_eval_is_packed is true). Loops over coordinates of the form
 *
 *     for (l = 0; l < s.by; l += CS_VECTOR)
 *         for (at = l; at < s.end; at += s.by)
 *
 * and sums by CS_SPAN_SUM give the same bits for both layouts. */
typedef struct cs_span {
    size_t by, end;
    size_t packed; /* dim if packed, else 0 */
} cs_span;

static inline cs_span cs_span_of(const cs_move *m)
{
    return (cs_span){.by = m->lanes, .end = m->dim * m->lanes};
}

static inline cs_span cs_span_packed(const cs_move *m)
{
    return (cs_span){CS_VECTOR, cs_pad_lanes(m->dim), m->dim};
}

#define CS_SPAN_SUM(sum, span, first, term)                                    \
    do {                                                                       \
        if ((span).packed)                                                     \
            CS_VSUM_PACKED(sum, (span).packed, term);                          \
        else                                                                   \
            CS_VSUM(sum, first, (span).by, (span).end, term);                  \
    } while (0)

/* Returns the scratch size of n packed arrays, in doubles per lane. */
static inline size_t cs_packed_words(const cs_target *t, size_t n)
{
    return cs_rows_for(n * cs_pad_lanes(t->space.dim));
}

/* Packs rows[dim][CS_PAD] of a single chain into dim contiguous numbers. */
static inline void cs_pack_rows(const cs_move *m, const double *rows,
                                double *packed)
{
    size_t dim = m->dim, d = 0;
    for (; d + CS_VECTOR <= dim; d += CS_VECTOR)
        cs_store(packed + d, cs_first_lane(rows + d * CS_PAD, CS_VECTOR));
    if (d < dim)
        cs_store(packed + d, cs_first_lane(rows + d * CS_PAD, dim - d));
}

/* Packs rows, unless the packed copy is up to date. */
static inline void cs_pack_rows_once(const cs_move *m, const double *rows,
                                     double *packed)
{
    if (!m->packed_valid)
        cs_pack_rows(m, rows, packed);
}

/* Copies a packed array to another packed array. */
static inline void cs_commit_packed_rows(const cs_move *m, const double *from,
                                         double *to)
{
    for (size_t d = 0, dim = m->dim; d < dim; d += CS_VECTOR)
        cs_store(to + d, cs_load(from + d));
}

/* Unpacks an array: writes each number of the array to every lane of a row. */
static inline void cs_unpack_rows(const cs_move *m, const double *packed,
                                  double *rows)
{
#pragma GCC unroll 8
    for (size_t d = 0, dim = m->dim; d < dim; d++)
        cs_store_all(rows + d * CS_PAD, packed[d]);
}

/* Sets info.proposal to `rows`. Unpacks the proposal into the first lane of
 * `rows`, unless more steps follow immediately and nothing reads the
 * proposal. */
static inline void cs_show_proposal(cs_move *m, const double *packed,
                                    double *rows)
{
    m->info.proposal = rows;
    m->packed_proposal = m->multi_step ? packed : NULL;
    for (size_t d = 0, dim = m->dim; d < dim && !m->multi_step; d++)
        rows[d * CS_PAD] = packed[d];
}

/* Draws packed numbers for a single chain, one per coordinate. */
static inline void cs_packed_numbers(const cs_move *m, cs_purpose purpose,
                                     cs_shape shape, double *packed)
{
    size_t dim = m->dim;
    const double *ahead = cs_ahead_numbers(&m->streams, purpose, shape, dim);
    if (ahead) {
        for (size_t d = 0; d < dim; d += CS_VECTOR)
            cs_store(packed + d, cs_first(cs_load(ahead + d), dim - d));
        return;
    }
    cs_streams alone = m->streams;
    alone.lanes = 1;
    cs_fill_shape(&alone, purpose, shape, dim, packed);
    for (size_t d = dim; d < cs_pad_lanes(dim); d++)
        packed[d] = 0;
}

/* Draws the packed noise of a proposal: normals in single or double
 * precision. */
static inline void cs_packed_normal(const cs_move *m, cs_shape shape,
                                    double *packed)
{
    cs_packed_numbers(m, CS_FOR_PROPOSAL, shape, packed);
}

/* Evaluates a packed state, and writes its log p to every lane of logp. */
static inline void cs_packed_log_density(cs_move *m, const double *x,
                                         double *logp)
{
    cs_eval_log_density_packed(m->eval, x, logp);
    cs_store_all(logp, *logp);
}

static inline void cs_packed_gradient(cs_move *m, const double *x, double *logp,
                                      double *g)
{
    cs_eval_gradient_packed(m->eval, x, logp, g);
    cs_store_all(logp, *logp);
}
