/* Independent draws of a target, from which the laws of chains start.
 *
 * They come from all states by their masses, or from the target's own draws, or,
 * where there is neither, from a cloud around the chains by rejection control
 * (Liu, Chen and Wong, "Rejection control and sequential importance sampling",
 * 1998): a draw of q with w = p / q is kept with chance min(1, w / M) and then has
 * weight max(1, w / M). Weighted means are those of p for every q and M; with a q
 * near p almost all weights are 1. */
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

/* Whether the target can be drawn from in one of the three ways. */
bool cs_origin_exists(const cs_check *c, const cs_target *t);

/* False when out of memory; close it in both cases. The cloud takes at most a
 * quarter of the seconds. */
bool cs_origin_open(cs_origin *o, cs_check *c, cs_target *t,
                    const cs_arm_view *arm, uint64_t seed);
void cs_origin_close(cs_origin *o);

/* x[dim] = a draw, its log p and its weight. False: none was found. */
bool cs_origin_draw(cs_origin *o, double *x, double *logp, double *weight);

/* Whether a few draws have most of the weight, so that means of them say
 * nothing. */
bool cs_origin_is_uneven(const cs_origin *o);
