/* Independent draws of a target, from which chains start.
 *
 * They come from the listed states by their masses, from the target's own exact
 * draws, or otherwise from a cloud around the chains by rejection control (Liu,
 * Chen and Wong, "Rejection control and sequential importance sampling", 1998):
 * a draw of q with w = p / q is kept with probability min(1, w / M) and then
 * has weight max(1, w / M). Weighted means are those of p for every q and M.
 * With a q near p almost all weights are 1.
 */
#pragma once

#include "check/cloud.h"

typedef struct cs_origin {
    cs_target *t;
    const cs_enumeration *truth; /* NULL: not all states are known */
    double *sum;                 /* [n] of the masses up to a state [own] */
    double *uniform;             /* [n_uniform] [own] */
    cs_check_rng rng;
    bool weighted; /* from the cloud */
    cs_cloud q;
    double log_m;   /* log M */
    double *x, *of; /* [LANES][dim] draws of the cloud, log p of them [own] */
    size_t at;      /* the next of them */
    size_t tried, kept;
    double most, total; /* the largest weight, the sum of all */
} cs_origin;

/* Returns whether the target can be sampled in one of the three ways. */
bool cs_origin_exists(const cs_check *c, const cs_target *t);

/* Returns false if out of memory; close it in both cases. The cloud takes at
 * most a quarter of the seconds.
 */
bool cs_origin_open(cs_origin *o, cs_check *c, cs_target *t,
                    const cs_arm_view *arm, uint64_t seed);
void cs_origin_close(cs_origin *o);

/* Sets x[dim] to a draw, with its log p and its weight. Returns false if none
 * was found.
 */
bool cs_origin_draw(cs_origin *o, double *x, double *logp, double *weight);

/* Returns whether a few draws have most of the weight, so that their means are
 * uninformative.
 */
bool cs_origin_is_uneven(const cs_origin *o);
