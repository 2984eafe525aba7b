/* Targets for windows: a target, and other coordinates that are coupled with it.
 * The same density is available as a whole, and as an independent conditional
 * target whose other coordinates are constants. */
#pragma once

#include "target/target.h"

/* How the targets compute site differences: not at all, from the state, or from
 * a cache that holds x. */
typedef enum paired_sites {
    PAIRED_TRIALS,
    PAIRED_STATE,
    PAIRED_CACHE
} paired_sites;

/* Creates the whole: log p(x, r) = log p(x) + 0.3 sum over i of x_i r_i, with the
 * coordinates x of `inner` and a real coordinate r_i for each x_i. If `mixed_up`, the
 * coordinates alternate: x_1, r_1, x_2, r_2 ...; otherwise r comes first. The
 * whole has those functions of `inner` that windows pass on. */
cs_target *paired_whole(cs_target *inner, paired_sites sites, bool mixed_up);

/* Returns the coordinate of the whole that is x_i, or r_i. */
uint32_t paired_coordinate(const cs_target *whole, size_t i, bool other);

/* Creates the conditional target, log p(x, r) as a function of x, with
 * r[dim][lanes] [borrowed]. */
cs_target *paired_conditional(cs_target *inner, paired_sites sites,
                              const double *r);
