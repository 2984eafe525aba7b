/* Internals of the evaluator of one state: operands and sums of products. The
 * order of summation equals that of one lane in machine.h and
 * sum_products.h. */
#pragma once

#include "tape/machine.h"

#include <string.h>

/* An operand: element e is p[e * step]; numbers have step 0. */
typedef struct cs_side {
    const double *p;
    size_t step;
} cs_side;

INLINE cs_side side_of(const machine *m, cs_operand o)
{
    int many = o.kind == CS_FROM_ROWS || o.kind == CS_FROM_VECTOR;
    return (cs_side){is_number(o) ? m->constants + o.at : row_at(m, o.at),
                     many ? 1 : 0};
}

/* Loads a vector from an unaligned address. */
INLINE cs_vd load_any(const double *p)
{
    cs_vd v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store_any(double *p, cs_vd v)
{
    memcpy(p, &v, sizeof v);
}

/* Returns the start of the next vector of n elements. The last vector is moved
 * back so that it is complete; some elements are then computed twice. */
INLINE size_t next(size_t e, size_t n)
{
    if (e + CS_VECTOR >= n)
        return n;
    return e + 2 * CS_VECTOR > n ? n - CS_VECTOR : e + CS_VECTOR;
}

/* Loads fewer elements than a vector has; the other lanes repeat the first
 * element. */
INLINE cs_vd take_few(const double *p, size_t n)
{
#if defined(__AVX512F__)
    return (cs_vd)_mm512_mask_loadu_pd((__m512d)cs_vset(*p),
                                       (__mmask8)((1u << n) - 1), p);
#else
    _Alignas(64) double v[CS_VECTOR];
    for (size_t k = 0; k < CS_VECTOR; k++)
        v[k] = p[k < n ? k : 0];
    return cs_load(v);
#endif
}

/* Loads `some` elements from e on: a complete vector, or fewer elements at the
 * end. */
INLINE cs_vd take(cs_side s, size_t e, size_t some)
{
    if (!s.step || some == 1)
        return cs_vset(s.p[s.step * e]);
    return some == CS_VECTOR ? load_any(s.p + e) : take_few(s.p + e, some);
}

INLINE void put(double *out, size_t some, cs_vd v)
{
    if (some == CS_VECTOR)
        store_any(out, v);
    else if (some == 1)
        *out = v[0];
    else {
#if defined(__AVX512F__)
        _mm512_mask_storeu_pd(out, (__mmask8)((1u << some) - 1), (__m512d)v);
#else
        _Alignas(64) double all[CS_VECTOR];
        cs_store(all, v);
        for (size_t k = 0; k < some; k++)
            out[k] = all[k];
#endif
    }
}

/* ---- sums of products ---------------------------------------------------- */

/* Returns factor * a * b of one element, multiplied in this order. */
INLINE double one_term(const machine *m, const cs_term *t, int pair, size_t e)
{
    cs_side a = side_of(m, t->a);
    double v = t->factor * a.p[e * a.step];
    if (pair) {
        cs_side b = side_of(m, t->b);
        v = v * b.p[e * b.step];
    }
    return v;
}

INLINE double add_terms_of(const machine *m, const cs_instruction *i, size_t e,
                           double sum)
{
    const cs_term *t = m->p->terms + i->first;
    for (uint32_t k = 0; k < i->count; k++)
        sum += one_term(m, t + k, k >= i->plain, e);
    return sum;
}

/* Returns factor * a * b for many elements, multiplied in the order of
 * machine.h. */
INLINE cs_vd terms_at(const cs_term *t, cs_side a, cs_side b, int pair,
                      size_t e, size_t some)
{
    cs_vd v = cs_vset(t->factor) * take(a, e, some);
    if (pair)
        v = v * take(b, e, some);
    return v;
}

/* Adds one term to out[n]; the first term is added to `start`. */
static inline void add_one_term(const machine *m, const cs_instruction *i,
                                uint32_t k, size_t n, double *out)
{
    const cs_term *t = m->p->terms + i->first + k;
    int pair = k >= i->plain;
    size_t some = n < CS_VECTOR ? n : CS_VECTOR;
    cs_side a = side_of(m, t->a), b = pair ? side_of(m, t->b) : a;
    cs_side was = {k ? out : &i->start, k ? 1 : 0};
    if (pair && !i->flat && is_number(t->b)) { /* the number is the first
                                                * factor, as in machine.h */
        cs_side other = a;
        a = b;
        b = other;
    }
    size_t whole = n - n % CS_VECTOR, e = 0;
    if (pair)
        for (; e < whole; e += CS_VECTOR)
            put(out + e, CS_VECTOR,
                take(was, e, CS_VECTOR) + terms_at(t, a, b, 1, e, CS_VECTOR));
    else
        for (; e < whole; e += CS_VECTOR)
            put(out + e, CS_VECTOR,
                take(was, e, CS_VECTOR) + terms_at(t, a, b, 0, e, CS_VECTOR));
    some = n - e;
    if (some)
        put(out + e, some,
            take(was, e, some) + terms_at(t, a, b, pair, e, some));
}

/* Returns true if some term is a product of two numbers. (part_of returns false
 * for such a term.) */
INLINE int has_numbers_alone(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    for (uint32_t k = i->plain; k < i->count; k++)
        if (is_number(t[k].a) && is_number(t[k].b))
            return 1;
    return 0;
}

static inline void run_sum(const machine *m, const cs_instruction *i)
{
    enum { NEAR = 512 };
    double *out = row_to(m, i->out);
    if (i->size == 1 || i->count == 0 ||
        (!i->flat && has_numbers_alone(m, i))) {
        for (size_t e = 0; e < i->size; e++)
            out[e] = add_terms_of(m, i, e, i->start);
        return;
    }
    for (uint32_t k = 0; k < i->count; k++)
        add_one_term(m, i, k, i->size, out);
}

/* ---- summed over elements ------------------------------------------------ */

typedef double cs_four __attribute__((vector_size(32)));

INLINE cs_four four(cs_side s, size_t e)
{
    cs_four v = {0};
    if (!s.step)
        return *s.p - v;
    memcpy(&v, s.p + e, sizeof v);
    return v;
}

/* Sums with four accumulators; element e is added to accumulator e mod 4. */
INLINE double total_of(cs_side f, cs_side a, cs_side b, size_t n, int numbers,
                       int pair)
{
    cs_four sum = {0};
    size_t e = 0;
    for (; e + 4 <= n; e += 4) {
        cs_four v = four(a, e);
        if (pair)
            v = v * four(b, e);
        if (numbers)
            v = four(f, e) * v;
        sum += v;
    }
    for (; e < n; e++) {
        double v = a.p[e * a.step];
        if (pair)
            v = v * b.p[e * b.step];
        if (numbers)
            v = f.p[e * f.step] * v;
        sum[0] += v;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sums one term over elements: the product of rows a (and b) and the numbers
 * f. */
static inline double total_term(const machine *m, const cs_instruction *i,
                                uint32_t k)
{
    const cs_term *t = m->p->terms + i->first + k;
    cs_side a = side_of(m, t->a), b, f;
    size_t n = i->elements;
    if (k < i->plain)
        return total_of(a, a, a, n, 0, 0);
    b = side_of(m, t->b);
    if (!is_number(t->a) && !is_number(t->b))
        return total_of(a, a, b, n, 0, 1);
    f = is_number(t->a) ? a : b;
    return total_of(f, is_number(t->a) ? b : a, a, n, 1, 0);
}

static inline void run_total(const machine *m, const cs_instruction *i)
{
    const cs_term *t = m->p->terms + i->first;
    double sum = i->start;
    int whole = 1;
    for (uint32_t k = 0; k < i->count; k++)
        whole = whole &&
                !(is_number(t[k].a) && (k < i->plain || is_number(t[k].b)));
    for (uint32_t k = 0; whole && k < i->count; k++)
        sum += t[k].factor * total_term(m, i, k);
    for (size_t e = 0; !whole && e < i->elements; e++)
        sum = add_terms_of(m, i, e, sum);
    *row_to(m, i->out) = sum;
}
