/* Interval arithmetic: what an operation can come to where its arguments are
 * anywhere in intervals (Moore, Kearfott and Cloud, Introduction to Interval
 * Analysis, 2009), rounded outwards: far enough for what a program computes
 * in an order of its own, by functions of its own.
 *
 * Where an operation may have no value (a pole, a logarithm of what may be
 * negative, infinity less infinity) the answer is CS_NOWHERE, and so is all
 * that is made of it: nothing swallows it but a comparison, whose answer is 0
 * or 1 whatever it compares, and a choice that is known not to take it. */
#pragma once

#include "expr/graph.h"

#include <math.h>

typedef struct cs_interval {
    double low, high; /* low <= high, infinite if a value may be; both NaN:
                         there may be no value */
} cs_interval;

#define CS_NOWHERE ((cs_interval){(double)NAN, (double)NAN})

static inline bool cs_interval_is_nowhere(cs_interval a)
{
    return !(a.low <= a.high);
}

static inline cs_interval cs_interval_of(double value)
{
    return (cs_interval){value, value};
}

/* Returns the largest |a|; NaN for CS_NOWHERE. */
static inline double cs_interval_most(cs_interval a)
{
    double low = fabs(a.low), high = fabs(a.high);
    return low > high ? low : high;
}

/* Returns the smallest interval that contains both; CS_NOWHERE if either is. */
cs_interval cs_interval_hull(cs_interval a, cs_interval b);

/* Returns the intersection, when some value is known to be in both. */
cs_interval cs_interval_meet(cs_interval a, cs_interval b);

/* Returns a b; `same`: a and b are the same number. */
cs_interval cs_interval_mul(cs_interval a, cs_interval b, bool same);

/* Applies an operation of class MAP; unused arguments are ignored. */
cs_interval cs_interval_op(cs_op op, cs_interval a, cs_interval b,
                           cs_interval c);

/* Returns the sum of n intervals a[stride * i], valid for any order of
 * summation. */
cs_interval cs_interval_sum(const cs_interval *a, size_t n, size_t stride);

/* Apply operations of class REDUCE to a[n]. */
cs_interval cs_interval_reduce(cs_op op, const cs_interval *a, size_t n);
