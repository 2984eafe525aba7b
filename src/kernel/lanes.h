/* Eight lanes at a time: what the kernels' inner loops share. */
#ifndef CS_KERNEL_LANES_H
#define CS_KERNEL_LANES_H

#include "kernel/kernel.h"
#include "simd/vlanes.h"

static inline cs_vd cs_load(const double *p)
{
    return *(const cs_vd *)p;
}

static inline void cs_store(double *p, cs_vd v)
{
    *(cs_vd *)p = v;
}

/* The lanes of a mask as bytes of 0 or 1, in one word. */
static inline uint64_t cs_bytes_of(cs_vi mask)
{
    cs_v8 bytes = __builtin_convertvector(mask & 1, cs_v8);
    uint64_t word;
    __builtin_memcpy(&word, &bytes, sizeof word);
    return word;
}

static inline void cs_store_bool(bool *p, cs_vi mask)
{
    uint64_t word = cs_bytes_of(mask);
    __builtin_memcpy(p, &word, sizeof word);
}

/* Row r of a [rows][lanes] array. */
static inline double *cs_row(double *array, size_t lanes, size_t r)
{
    return array + r * lanes;
}

/* Parameter number k of every lane. */
static inline const double *cs_move_param(const cs_move *m, size_t k)
{
    return m->param + k * m->lanes;
}

/* How the arrays of a step are walked: x[dim][lanes], or, of a chain alone
 * whose target takes it (cs_eval_is_packed), x[dim] with room to whole vectors.
 * Loops over coordinates that say
 *
 *     for (l = 0; l < s.by; l += CS_VECTOR)
 *         for (at = l; at < s.end; at += s.by)
 *
 * and sums by CS_SPAN_SUM compute the same bits in both. */
typedef struct cs_span {
    size_t by, end;
    size_t close; /* dim if the rows lie close, else 0 */
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
        if ((span).close)                                                      \
            CS_VSUM_CLOSE(sum, (span).close, term);                            \
        else                                                                   \
            CS_VSUM(sum, first, (span).by, (span).end, term);                  \
    } while (0)

/* Words a lane that n arrays of a chain alone take in scratch. */
static inline size_t cs_packed_words(const cs_target *t, size_t n)
{
    return n * cs_pad_lanes(t->space.dim) / CS_VECTOR;
}

/* The first `left` of eight numbers, and zeros. */
static inline cs_vd cs_first(cs_vd v, size_t left)
{
    const cs_vi place = {0, 1, 2, 3, 4, 5, 6, 7};
    return cs_vselect(place < (int64_t)left, v, cs_vset(0));
}

/* The first lane of eight rows, or of the `left` there are: in registers, for
 * a vector is not soon loaded from where its parts were stored one by one. */
static inline cs_vd cs_first_lane(const double *rows, size_t left)
{
#define CS_ROW(k) (k < left ? rows[(k)*CS_VECTOR] : 0)
    return (cs_vd){CS_ROW(0), CS_ROW(1), CS_ROW(2), CS_ROW(3),
                   CS_ROW(4), CS_ROW(5), CS_ROW(6), CS_ROW(7)};
#undef CS_ROW
}

/* Rows [dim][CS_VECTOR] of a chain alone, laid close. */
static inline void cs_pack_rows(const cs_move *m, const double *rows,
                                double *close)
{
    size_t dim = m->dim, d = 0;
    for (; d + CS_VECTOR <= dim; d += CS_VECTOR)
        cs_store(close + d, cs_first_lane(rows + d * CS_VECTOR, CS_VECTOR));
    if (d < dim)
        cs_store(close + d, cs_first_lane(rows + d * CS_VECTOR, dim - d));
}

/* The same, unless they lie there still. */
static inline void cs_pack_rows_once(const cs_move *m, const double *rows,
                                     double *close)
{
    if (!m->packed_valid)
        cs_pack_rows(m, rows, close);
}

/* From one place to another, both close. */
static inline void cs_commit_packed_rows(const cs_move *m, const double *from,
                                         double *to)
{
    for (size_t d = 0, dim = m->dim; d < dim; d += CS_VECTOR)
        cs_store(to + d, cs_load(from + d));
}

/* The way back. */
static inline void cs_spread(const cs_move *m, const double *close,
                             double *rows)
{
#pragma GCC unroll 8
    for (size_t d = 0, dim = m->dim; d < dim; d++)
        cs_store(rows + d * CS_VECTOR, cs_vset(close[d]));
}

/* The proposal of a chain alone, for those who look at info: the first lane. */
static inline void cs_show_proposal(cs_move *m, const double *close,
                                    double *rows)
{
    m->info.proposal = rows;
    m->packed_proposal = m->multi_step ? close : NULL;
    for (size_t d = 0, dim = m->dim; d < dim && !m->multi_step; d++)
        rows[d * CS_VECTOR] = close[d];
}

/* The noise of a proposal, close: normals of either precision. */
static inline void cs_packed_normal(const cs_move *m, cs_shape shape,
                                    double *close)
{
    size_t dim = m->dim;
    const double *z =
        cs_ahead_numbers(&m->streams, CS_FOR_PROPOSAL, shape, dim);
    if (z) {
        for (size_t d = 0; d < dim; d += CS_VECTOR)
            cs_store(close + d, cs_first(cs_load(z + d), dim - d));
        return;
    }
    cs_streams alone = m->streams;
    alone.lanes = 1;
    cs_fill_shape(&alone, CS_FOR_PROPOSAL, shape, dim, close);
    for (size_t d = dim; d < cs_pad_lanes(dim); d++)
        close[d] = 0;
}

/* The evaluators of a chain alone. */
static inline void cs_packed_log_density(cs_move *m, const double *x,
                                         double *logp)
{
    cs_eval_log_density_packed(m->eval, x, logp);
    cs_store(logp, cs_vset(*logp));
}

static inline void cs_packed_gradient(cs_move *m, const double *x, double *logp,
                                      double *g)
{
    cs_eval_gradient_packed(m->eval, x, logp, g);
    cs_store(logp, cs_vset(*logp));
}

#endif
