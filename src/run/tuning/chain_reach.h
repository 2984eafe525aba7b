/* Finds chains whose log p is so far below the log p of the other chains that a
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

/* Computes the reach of n chains on a target with `dim` coordinates. For draws
 * of a normal target, log p has a standard deviation of about sqrt(dim / 2). If
 * a mode is e times as wide in every coordinate as another mode that is equally
 * likely, log p is lower by dim in the wider mode. The last term in the formula
 * for `least` is for runs in which many chains are far apart, either during
 * warm-up or because of the target. Chains below `least` are moved. Adaptation
 * at each step excludes only chains that are three times as far below the
 * median, so that chains in the wide ends of funnels are included. `least` is
 * -HUGE_VAL if there are fewer than three chains or if a median is not finite.
 * Sorts logp[n]; NaN counts as the lowest value. */
cs_reach cs_reach_of(double *logp, size_t n, size_t dim);
