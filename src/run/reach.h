/* Which chains of an arm are so far below the others in log p that nothing is to
 * be learned of them in a warm-up. */
#pragma once

#include <stddef.h>

/* The log p of n chains, in `dim` coordinates. */
typedef struct cs_reach {
    double middle; /* their median */
    double least;  /* what is within reach of it:
                      median - 10 - dim - 6 median |log p - median| */
} cs_reach;

/* Within a target log p varies by some sqrt(dim / 2); a mode that is e times as
 * wide in every coordinate is lower by dim and as likely; and where many chains
 * are apart, on their way or in a target that is so, the last term lets them be.
 * A chain is moved by this measure; from what is learned at each step it is left
 * out at three times that, or the wide ends of funnels would be.
 * `least` is -HUGE_VAL of fewer than three chains, or of medians that are not
 * finite. Sorts logp[n]; NaN counts as the lowest. */
cs_reach cs_reach_of(double *logp, size_t n, size_t dim);
