/* Internals of the evaluator: operands, and sums of products. */
#pragma once

#include "expr/nearest.h"
#include "simd/vmath.h"
#include "tape/program.h"

#define INLINE static inline __attribute__((always_inline))

/* Location of an operand: rows of lanes, or numbers. */
typedef struct source {
    const double *p;
    size_t step; /* distance between elements */
} source;

typedef struct machine {
    const cs_program *p;
    const double *constants;
    const double *input; /* [apart][lanes] slots with numbers below `apart` */
    double *slots;       /* slots with numbers from `apart` on */
    size_t apart, lanes;
    size_t live;          /* number of lanes included in a sum over lanes */
    double *total;        /* [totals][CS_PAD] partial sums */
    const double *weight; /* [lanes] weights of lanes in totals; NULL: all 1 */
} machine;

/* Return the address of row `at` for reading and for writing. */
INLINE const double *row_at(const machine *m, size_t at)
{
    return at < m->apart ? m->input + at * m->lanes
                         : m->slots + (at - m->apart) * m->lanes;
}

INLINE double *row_to(const machine *m, size_t at)
{
    return m->slots + (at - m->apart) * m->lanes;
}

INLINE int is_number(cs_operand o)
{
    return o.kind >= CS_FROM_VECTOR;
}

INLINE source source_of(const machine *m, cs_operand o)
{
    if (is_number(o))
        return (source){m->constants + o.at, o.kind == CS_FROM_VECTOR};
    return (source){row_at(m, o.at), o.kind == CS_FROM_ROWS ? m->lanes : 0};
}

/* Loads element i at lane l. `constant` must be known at compile time once the
 * function is inlined. */
INLINE cs_vd load(source s, size_t i, size_t l, int constant)
{
    if (constant)
        return cs_vset(s.p[i * s.step]);
    return cs_load(s.p + i * s.step + l);
}

/* The size of the widest vector that fits a register in this variant. GCC keeps
 * arrays of wider vectors in memory and moves them in halves. */
#if defined(__AVX512F__)
enum { PIECE = 8 };
typedef double cs_pd __attribute__((vector_size(64), may_alias));
#elif defined(__AVX__)
enum { PIECE = 4 };
typedef double cs_pd __attribute__((vector_size(32), may_alias));
#else
enum { PIECE = 2 };
typedef double cs_pd __attribute__((vector_size(16), may_alias));
#endif

enum { PIECES = CS_PAD / PIECE /* number of pieces per vector */ };

INLINE cs_pd pset(double a)
{
    return a - (cs_pd){0};
}

/* ---- sums of products ---------------------------------------------------- */

/* Multiplies v[wide] by vectors of a term's operand. The operand can be a
 * constant only if the instruction's flag `constants` is set. */
INLINE void times(const machine *m, cs_operand o, size_t e, size_t l, int wide,
                  int constants, cs_pd *v)
{
    if (constants && is_number(o)) {
        source s = source_of(m, o);
        cs_pd f = pset(s.p[e * s.step]);
#pragma GCC unroll 4
        for (int w = 0; w < wide; w++)
            v[w] = v[w] * f;
        return;
    }
    const double *p = row_at(m, o.at) + l;
    if (o.kind == CS_FROM_ROWS)
        p += e * m->lanes;
#pragma GCC unroll 4
    for (int w = 0; w < wide; w++)
        v[w] = v[w] * *(const cs_pd *)(p + w * PIECE);
}

INLINE void add_term(const machine *m, const cs_term *t, size_t e, size_t l,
                     int wide, int constants, int pair, cs_pd *sum)
{
    cs_pd v[4];
#pragma GCC unroll 4
    for (int w = 0; w < wide; w++)
        v[w] = pset(t->factor);
    times(m, t->a, e, l, wide, constants, v);
    if (pair)
        times(m, t->b, e, l, wide, constants, v);
#pragma GCC unroll 4
    for (int w = 0; w < wide; w++)
        sum[w] += v[w];
}

/* Adds the terms of one element to sum[wide]. */
INLINE void add_terms(const machine *m, const cs_instruction *i, size_t e,
                      size_t l, int wide, int constants, cs_pd *sum)
{
    const cs_term *t = m->p->terms + i->first, *pairs = t + i->plain;
    const cs_term *end = t + i->count;
    for (; t < pairs; t++)
        add_term(m, t, e, l, wide, constants, 0, sum);
    for (; t < end; t++)
        add_term(m, t, e, l, wide, constants, 1, sum);
}

/* Writes the sum over elements `from` to `to` - 1 to row `out`. */
INLINE void sum_lanes(const machine *m, const cs_instruction *i, size_t from,
                      size_t to, size_t row, size_t l, int wide, int constants)
{
    cs_pd sum[4];
    double *out = row_to(m, row) + l;
#pragma GCC unroll 4
    for (int w = 0; w < wide; w++)
        sum[w] = pset(i->start);
    for (size_t e = from; e < to; e++)
        add_terms(m, i, e, l, wide, constants, sum);
#pragma GCC unroll 4
    for (int w = 0; w < wide; w++)
        *(cs_pd *)(out + w * PIECE) = sum[w];
}

/* Sums `length` lanes. These are the lanes of several consecutive rows if the
 * rows of every operand are consecutive too. */
INLINE void sum_row(const machine *m, const cs_instruction *i, size_t from,
                    size_t to, size_t row, size_t length, int constants)
{
    size_t l = 0;
    for (; l + 4 * PIECE <= length; l += 4 * PIECE)
        sum_lanes(m, i, from, to, row, l, 4, constants);
    for (; l + 2 * PIECE <= length; l += 2 * PIECE)
        sum_lanes(m, i, from, to, row, l, 2, constants);
    for (; l < length; l += PIECE)
        sum_lanes(m, i, from, to, row, l, 1, constants);
}
