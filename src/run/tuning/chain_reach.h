/* Finds the chains of an arm that are so far below the others in log p that a
 * warm-up must not learn from them. */
#pragma once

#include <stddef.h>

/* The log p of n chains, in `dim` coordinates. */
typedef struct cs_reach {
    double middle; /* median */
    double least;  /* smallest log p within reach:
                    * median - 10 - dim - 6 median |log p - median| */
} cs_reach;

/* Computes the reach. Within a target log p varies by about sqrt(dim / 2). A
 * mode that is e times as wide in every coordinate is lower by dim and equally
 * likely. The last term tolerates many chains that are apart, during warm-up or
 * because of the target. Chains are moved by this limit; learning at each step
 * excludes a chain only at three times the distance, to keep the wide ends of
 * funnels.
 * `least` is -HUGE_VAL for fewer than three chains, or medians that are not
 * finite. Sorts logp[n]; NaN counts as the lowest. */
cs_reach cs_reach_of(double *logp, size_t n, size_t dim);
