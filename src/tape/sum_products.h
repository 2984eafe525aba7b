/* Internals of the evaluator: sums whose terms are vectors, computed term by
 * term, so that the kind of an operand is tested once for all its elements. */
#pragma once

#include "tape/machine.h"

enum { CS_NEAR = 512 /* number of doubles that fit in the nearest cache */ };

/* The product factor * number * rows[0] * rows[1], whose factors are optional.
 * `number` and each of rows[0 .. n - 1] have one value per element or, if the
 * step is 0, the same value for all elements. */
typedef struct part {
    double factor;
    source number, rows[2];
    int n;
} part;

/* Sets *p to a term. Returns false for a product of two numbers, which
 * add_terms computes instead. */
INLINE int part_of(const machine *m, const cs_instruction *i, uint32_t k,
                   part *p)
{
    const cs_term *t = m->p->terms + i->first + k;
    const cs_operand operand[2] = {t->a, t->b};
    *p = (part){.factor = t->factor};
    for (int j = 0; j < (k < i->plain ? 1 : 2); j++) {
        source s = source_of(m, operand[j]);
        if (!is_number(operand[j]))
            p->rows[p->n++] = s;
        else if (p->number.p)
            return 0;
        else
            p->number = s;
    }
    return 1;
}

/* Returns element e of the product at lane l, without `factor`. After inlining,
 * all flags are known at compile time. */
INLINE cs_vd part_at(const part *p, cs_vd f, size_t e, size_t l, int n)
{
    if (n > 0)
        f = f * load(p->rows[0], e, l, 0);
    if (n > 1)
        f = f * load(p->rows[1], e, l, 0);
    return f;
}

/* ---- sums added to each element ------------------------------------------ */

/* A range of elements, whose sums are computed part by part. The first part is
 * added to `start`, each further part to the sum so far. */
typedef struct span {
    size_t from, to; /* range of elements */
    int first;
    double start;
    double *out; /* output for element `from` */
} span;

INLINE void add_part(const part *p, const span *s, size_t lanes, int numbers,
                     int n)
{
    double *out = s->out;
    cs_vd start = cs_vset(s->start);
    int first = s->first;
    for (size_t e = s->from; e < s->to; e++, out += lanes) {
        double f = p->factor;
        if (numbers)
            f *= p->number.p[e * p->number.step];
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd sum = first ? start : cs_load(out + l);
            cs_store(out + l, sum + part_at(p, cs_vset(f), e, l, n));
        }
    }
}

/* Calls add_part with constant arguments, which are known at compile time after
 * inlining. */
#define ADD_PART(lanes)                                                        \
    (p->n == 2   ? p->number.p ? add_part(p, s, lanes, 1, 2)                   \
                               : add_part(p, s, lanes, 0, 2)                   \
       : p->n == 1 ? p->number.p ? add_part(p, s, lanes, 1, 1)                 \
                                 : add_part(p, s, lanes, 0, 1)                 \
                   : add_part(p, s, lanes, 1, 0))

static void add_one_part(const part *p, const span *s, size_t lanes)
{
    if (lanes == CS_LEAST_LANES)
        ADD_PART(CS_LEAST_LANES);
    else if (lanes == 8)
        ADD_PART(8);
    else if (lanes == 16)
        ADD_PART(16);
    else
        ADD_PART(lanes);
}
#undef ADD_PART

/* Computes out[size] = start + the terms, in groups of elements that fit the
 * nearest cache. */
static inline int sum_parts(const machine *m, const cs_instruction *i)
{
    size_t some = CS_NEAR / m->lanes + 1;
    for (size_t from = 0; from < i->size; from += some) {
        span s = {.from = from, .start = i->start};
        s.to = from + some < i->size ? from + some : i->size;
        s.out = row_to(m, i->out + from);
        for (uint32_t k = 0; k < i->count; k++) {
            part p;
            if (!part_of(m, i, k, &p))
                return 0;
            s.first = k == 0;
            add_one_part(&p, &s, m->lanes);
        }
    }
    return i->count > 0;
}

/* ---- summed over elements ------------------------------------------------ */

/* Adds one element to the four partial sums, for any number of lanes. */
INLINE void gather_element(const part *p, size_t e, size_t l, int numbers,
                           int n, int wide, cs_vd *sum)
{
    cs_vd f = cs_vset(numbers ? p->number.p[e * p->number.step] : 1.0);
#pragma GCC unroll 2
    for (int w = 0; w < wide; w++) {
        size_t at = l + (size_t)w * CS_VECTOR;
        cs_vd v = load(p->rows[0], e, at, 0);
        if (n > 1)
            v = v * load(p->rows[1], e, at, 0);
        if (numbers)
            v = f * v;
        sum[w] += v;
    }
}

INLINE void gather_sums(const part *p, size_t elements, size_t l, int numbers,
                        int n, int wide, double *out)
{
    cs_vd sum[8];
    size_t e = 0;
#pragma GCC unroll 8
    for (int k = 0; k < 4 * wide; k++)
        sum[k] = cs_vset(0.0);
    for (; e + 4 <= elements; e += 4)
#pragma GCC unroll 4
        for (int k = 0; k < 4; k++)
            gather_element(p, e + (size_t)k, l, numbers, n, wide,
                           sum + k * wide);
    for (; e < elements; e++)
        gather_element(p, e, l, numbers, n, wide, sum);
#pragma GCC unroll 2
    for (int w = 0; w < wide; w++)
        *(cs_vd *)(out + l + w * CS_VECTOR) +=
            cs_vset(p->factor) * ((sum[w] + sum[wide + w]) +
                                  (sum[2 * wide + w] + sum[3 * wide + w]));
}

INLINE void gather_part(const part *p, size_t elements, size_t lanes,
                        int numbers, int n, double *out)
{
    size_t l = 0;
    for (; l + 2 * CS_VECTOR <= lanes; l += 2 * CS_VECTOR)
        gather_sums(p, elements, l, numbers, n, 2, out);
    if (l < lanes)
        gather_sums(p, elements, l, numbers, n, 1, out);
}

static inline int total_parts(const machine *m, const cs_instruction *i)
{
    double *out = row_to(m, i->out);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_store(out + l, cs_vset(i->start));
    for (uint32_t k = 0; k < i->count; k++) {
        part p;
        if (!part_of(m, i, k, &p) || p.n == 0)
            return 0;
        if (p.n == 2)
            p.number.p ? gather_part(&p, i->elements, m->lanes, 1, 2, out)
                       : gather_part(&p, i->elements, m->lanes, 0, 2, out);
        else
            p.number.p ? gather_part(&p, i->elements, m->lanes, 1, 1, out)
                       : gather_part(&p, i->elements, m->lanes, 0, 1, out);
    }
    return 1;
}
