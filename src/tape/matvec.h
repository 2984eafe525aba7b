/* Internals of the evaluator: products of a matrix and a vector, in two cases.
 * In the first, one factor consists of constants. In the second, the product is
 * summed over lanes, for example the product of the columns of a table and
 * coefficients. */
#pragma once

#include "tape/machine.h"

/* Returns the mask of the live lanes of the vector that starts at lane `l`. */
INLINE cs_vi live_mask(const machine *m, size_t l)
{
    int64_t left = (int64_t)m->live - (int64_t)l;
    return (cs_vi){CS_COUNT_UP} < left;
}

/* ---- constants times rows, summed over elements -------------------------- */

INLINE int is_dot(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    return i->plain == 0 && i->count == 1 &&
           ((t->a.kind == CS_FROM_VECTOR && t->b.kind == CS_FROM_ROWS) ||
            (t->b.kind == CS_FROM_VECTOR && t->a.kind == CS_FROM_ROWS));
}

INLINE void dot_lanes(const machine *m, const cs_instruction *i,
                      const double *k, const double *x, double *out, int wide)
{
    double factor = m->p->terms[i->first].factor;
    cs_vd sum[8];
#pragma GCC unroll 8
    for (int w = 0; w < wide; w++)
        sum[w] = cs_vset(0.0);
    for (size_t e = 0; e < i->elements; e++, x += m->lanes) {
        cs_vd f = cs_vset(k[e]);
#pragma GCC unroll 8
        for (int w = 0; w < wide; w++)
            sum[w] = cs_vfma(f, cs_load(x + w * CS_VECTOR), sum[w]);
    }
#pragma GCC unroll 8
    for (int w = 0; w < wide; w++)
        cs_store(out + w * CS_VECTOR,
                 cs_vfma(cs_vset(factor), sum[w], cs_vset(i->start)));
}

static inline void run_dot(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    int first = t->a.kind == CS_FROM_VECTOR;
    const double *k = source_of(m, first ? t->a : t->b).p;
    const double *x = source_of(m, first ? t->b : t->a).p;
    double *out = row_to(m, i->out);
    size_t l = 0;
    for (; l + 8 * CS_VECTOR <= m->lanes; l += 8 * CS_VECTOR)
        dot_lanes(m, i, k, x + l, out + l, 8);
    for (; l < m->lanes; l += CS_VECTOR)
        dot_lanes(m, i, k, x + l, out + l, 1);
}

/* ---- sums over lanes ----------------------------------------------------- */

/* Returns the factors from lane `l` on, each multiplied by the weight of its
 * lane. */
INLINE cs_vd weight_at(const machine *m, const double *factor, size_t l)
{
    cs_vd f = cs_load(factor + l);
    if (m->weight)
        f = f * cs_load(m->weight + l);
    return f;
}

/* Computes factor * sum over lanes of weight[lane] x[e][lane] for `tall`
 * elements. Keeps tall * wide sums in registers. Reads `wide` groups of CS_PAD
 * lanes at a time. From each group, reads the vector that starts `part` lanes
 * after the start of the group. */
INLINE void collect_tile(const machine *m, double factor, const double *weight,
                         const double *x, double *total, size_t part, int tall,
                         int wide)
{
    cs_vd sum[8];
    size_t l = part, whole = m->live - m->live % CS_PAD;
#pragma GCC unroll 8
    for (int k = 0; k < tall * wide; k++)
        sum[k] = cs_vset(0.0);
    for (; l + (size_t)wide * CS_PAD <= whole + part;
         l += (size_t)wide * CS_PAD)
#pragma GCC unroll 8
        for (int w = 0; w < wide; w++) {
            size_t k = l + (size_t)w * CS_PAD;
            cs_vd f = weight_at(m, weight, k);
            const double *at = x + k;
#pragma GCC unroll 8
            for (int e = 0; e < tall; e++, at += m->lanes)
                sum[e * wide + w] = cs_vfma(f, cs_load(at), sum[e * wide + w]);
        }
    for (; l < m->live + part; l += CS_PAD) {
        cs_vd f = weight_at(m, weight, l);
        cs_vi mask = live_mask(m, l);
#pragma GCC unroll 8
        for (int e = 0; e < tall; e++) {
            cs_vd v = f * cs_load(x + (size_t)e * m->lanes + l);
            sum[e * wide] += cs_vselect(mask, v, cs_vset(0.0));
        }
    }
#pragma GCC unroll 8
    for (int e = 0; e < tall; e++) {
#pragma GCC unroll 8
        for (int w = 1; w < wide; w++)
            sum[e * wide] += sum[e * wide + w];
        *(cs_vd *)(total + part + e * CS_PAD) +=
            cs_vset(factor) * sum[e * wide];
    }
}

/* Returns true if the instruction is the transpose of a dot product: one row of
 * weights times many rows. */
INLINE int is_outer(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    return i->plain == 0 && i->count == 1 && i->start == 0 &&
           ((t->a.kind == CS_FROM_ROW && t->b.kind == CS_FROM_ROWS) ||
            (t->b.kind == CS_FROM_ROW && t->a.kind == CS_FROM_ROWS));
}

static inline void collect_outer(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    int first = t->a.kind == CS_FROM_ROW;
    const double *weight = source_of(m, first ? t->a : t->b).p;
    const double *x = source_of(m, first ? t->b : t->a).p;
    double *total = m->total + (size_t)i->out * CS_PAD;
    size_t e = 0;
#define TILES(tall, wide)                                                      \
    for (; e + (tall) <= i->size; e += (tall))                                 \
        for (size_t part = 0; part < CS_PAD; part += CS_VECTOR)                \
    collect_tile(m, t->factor, weight, x + e * m->lanes, total + e * CS_PAD,   \
                 part, tall, wide)
    TILES(8, 1);
    TILES(4, 2);
    TILES(2, 4);
    TILES(1, 8);
#undef TILES
}

INLINE cs_pd counted(const machine *m, cs_pd v, size_t l)
{
    if (m->weight)
        v = v * *(const cs_pd *)(m->weight + l);
    return v;
}

/* Adds the terms of element e at the last lanes to sum[CS_PAD]. The last lanes
 * are fewer than four groups of CS_PAD lanes. */
INLINE void collect_rest(const machine *m, const cs_instruction *i, size_t e,
                         size_t l, int constants, double *sum)
{
    _Alignas(64) double last[CS_PAD];
    for (; l < m->live; l += CS_PAD) {
        cs_pd v[PIECES];
#pragma GCC unroll 4
        for (int w = 0; w < PIECES; w++)
            v[w] = pset(i->start);
        add_terms(m, i, e, l, PIECES, constants, v);
#pragma GCC unroll 4
        for (int w = 0; w < PIECES; w++)
            *(cs_pd *)(last + w * PIECE) =
                counted(m, v[w], l + (size_t)w * PIECE);
        for (size_t k = 0; k < CS_PAD; k += CS_VECTOR)
            *(cs_vd *)(sum + k) += cs_vselect(live_mask(m, l + k),
                                              cs_load(last + k), cs_vset(0.0));
    }
}

/* Sums the terms of element e over lanes, and adds the results to
 * total[CS_PAD]. First adds the lanes that have equal positions in four groups
 * of CS_PAD lanes. */
INLINE void collect_element(const machine *m, const cs_instruction *i, size_t e,
                            int constants, double *total)
{
    _Alignas(64) double sum[4 * CS_PAD] = {0};
    size_t whole = m->live - m->live % CS_PAD,
           end = whole - whole % (4 * CS_PAD);
    for (size_t j = 0; j < 4 * CS_PAD; j += 4 * PIECE) {
        cs_pd some[4], v[4];
#pragma GCC unroll 4
        for (int w = 0; w < 4; w++)
            some[w] = pset(0.0);
        for (size_t l = j; l < end; l += 4 * CS_PAD) {
#pragma GCC unroll 4
            for (int w = 0; w < 4; w++)
                v[w] = pset(i->start);
            add_terms(m, i, e, l, 4, constants, v);
#pragma GCC unroll 4
            for (int w = 0; w < 4; w++)
                some[w] += counted(m, v[w], l + (size_t)w * PIECE);
        }
#pragma GCC unroll 4
        for (int w = 0; w < 4; w++)
            *(cs_pd *)(sum + j + (size_t)w * PIECE) = some[w];
    }
    collect_rest(m, i, e, end, constants, sum);
    for (size_t k = 0; k < CS_PAD; k += CS_VECTOR) {
        const double *at = sum + k;
        cs_vd one = cs_load(at) + cs_load(at + CS_PAD);
        cs_vd other = cs_load(at + 2 * CS_PAD) + cs_load(at + 3 * CS_PAD);
        *(cs_vd *)(total + k) += one + other;
    }
}

static inline void run_collect(const machine *m, const cs_instruction *i)
{
    double *total = m->total + (size_t)i->out * CS_PAD;
    if (is_outer(m, i))
        collect_outer(m, i);
    else
        for (size_t e = 0; e < i->size; e++)
            i->constants ? collect_element(m, i, e, 1, total + e * CS_PAD)
                         : collect_element(m, i, e, 0, total + e * CS_PAD);
}
