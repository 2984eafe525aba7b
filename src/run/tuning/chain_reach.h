/* Finds chains whose log p is so far below that of the other chains that a
 * warm-up must not learn from them. */
#pragma once

#include <stddef.h>

/* Statistics of the log p of n chains. */
typedef struct cs_reach {
    double middle; /* median of log p */
    /* smallest log p within reach: median - 10 - dim - 6 median |log p -
     * median| */
    double least;
} cs_reach;

/* Computes the reach of n chains on a target with `dim` coordinates. Between
 * draws of a normal target log p varies by about sqrt(dim / 2). In a mode that
 * is e times as wide in every coordinate, log p is lower by dim, although the
 * mode is equally likely. The last term in the formula for `least` allows for
 * many chains that are far apart, during warm-up or because of the target.
 * Chains below `least` are moved. Learning at each step excludes only chains
 * that are three times as far below the median, so that the wide ends of
 * funnels are included. `least` is -HUGE_VAL if there are fewer than three
 * chains or if a median is not finite. Sorts logp[n]; NaN counts as the lowest
 * value. */
cs_reach cs_reach_of(double *logp, size_t n, size_t dim);
