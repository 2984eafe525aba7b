/* Interval arithmetic: encloses the values of an operation for all arguments in
 * given intervals (Moore, Kearfott and Cloud, Introduction to Interval
 * Analysis, 2009). Results are rounded outwards. The rounding is wide enough to
 * cover a program that uses its own functions and its own order of operations.
 *
 * If an operation may be undefined (at a pole, the logarithm of a possibly
 * negative number, infinity minus infinity), the result is CS_NOWHERE.
 * Everything that is computed from this result is CS_NOWHERE too. There are two
 * exceptions: a comparison, which is 0 or 1 for any arguments, and a choice
 * that is known to select another branch. */
#pragma once

#include "expr/graph.h"

#include <math.h>

typedef struct cs_interval {
    double low, high; /* low <= high, possibly infinite; both are NaN if there
                       * may be no value */
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

/* Returns the largest |x| for x in a; NaN for CS_NOWHERE. */
static inline double cs_interval_most(cs_interval a)
{
    double low = fabs(a.low), high = fabs(a.high);
    return low > high ? low : high;
}

/* Returns the smallest interval that contains a and b; CS_NOWHERE if a or b is
 * CS_NOWHERE. */
cs_interval cs_interval_hull(cs_interval a, cs_interval b);

/* Returns the intersection; the intervals must be known to have a common
 * value. */
cs_interval cs_interval_meet(cs_interval a, cs_interval b);

/* Returns the product a b. `same` means that a and b are the same number. */
cs_interval cs_interval_mul(cs_interval a, cs_interval b, bool same);

/* Applies an operation of class MAP; unused arguments are ignored. */
cs_interval cs_interval_op(cs_op op, cs_interval a, cs_interval b,
                           cs_interval c);

/* Returns the sum of n intervals a[stride * i], valid for any order of
 * summation. */
cs_interval cs_interval_sum(const cs_interval *a, size_t n, size_t stride);

/* Apply operations of class REDUCE to a[n]. */
cs_interval cs_interval_reduce(cs_op op, const cs_interval *a, size_t n);
