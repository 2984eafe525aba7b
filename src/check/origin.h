/* Independent draws of a target, used as starting states of chains.
 *
 * The draws come from the enumerated states with their probabilities, or from
 * the target's own exact draws, or its sampler. Otherwise they come from a fitted distribution
 * q (check/cloud.h) by rejection control (Liu, Chen and Wong, "Rejection
 * control and sequential importance sampling", 1998): a draw of q with w = p /
 * q is kept with probability min(1, w / M) and then has weight max(1, w / M).
 * Weighted means are means under p for every q and M. If q is close to p,
 * almost all weights are 1. */
#pragma once

#include "check/cloud.h"

typedef struct cs_origin {
    cs_target *t;
    const cs_enumeration *truth; /* the enumerated states; NULL: the states are
                                    not enumerated */
    double *sum;                 /* [n] cumulative probabilities of the states
                                    [own] */
    double *uniform;             /* [n_uniform] uniforms for an exact draw of
                                    the target [own] */
    bool sampled;          /* true: draws come from the target's sampler */
    uint64_t seed, number; /* seed and number of the sampler's next draw */
    cs_check_rng rng;
    bool weighted; /* true: draws come from the fitted distribution q */
    cs_cloud q;
    double log_m;   /* log of the limit M on the weights */
    double *x, *of; /* x: [LANES][dim] draws of q; of: log p of each draw
                       [own] */
    size_t at;      /* index of the next draw in x */
    size_t tried, kept;
    double most, total; /* most: largest weight; total: sum of the weights */
} cs_origin;

/* Returns true if draws of the target are available from one of these
 * sources. */
bool cs_origin_exists(const cs_check *c, const cs_target *t);

/* Prepares the draws. Fitting q takes at most a quarter of the check's seconds.
 * Returns false if memory is exhausted. Call cs_origin_close afterwards, even
 * if the result is false. */
bool cs_origin_open(cs_origin *o, cs_check *c, cs_target *t,
                    const cs_arm_view *arm, uint64_t seed);
void cs_origin_close(cs_origin *o);

/* Prepares draws by the target's sampler, which may be wrong. cs_origin_close is
 * not needed. */
void cs_origin_sample(cs_origin *o, cs_target *t, uint64_t seed);

/* Sets x[dim] to a draw, and sets its log p and its weight. Returns false if no
 * draw was found. */
bool cs_origin_draw(cs_origin *o, double *x, double *logp, double *weight);

/* Returns true if a few draws have most of the weight, so that weighted means
 * are not informative. */
bool cs_origin_is_uneven(const cs_origin *o);
