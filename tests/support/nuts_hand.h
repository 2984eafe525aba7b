/* The No-U-Turn sampler implemented again, for one chain, by recursion: the
 * pseudo code of Hoffman and Gelman (2014, algorithms 2 and 3) with the weights
 * of Betancourt (2017, appendix A) and the further turn checks of Stan. Momenta
 * are the usual ones here, p ~ N(0, S^-1), and positions move by S p. */
#pragma once

#include "kernel/metric.h"

#include <stdbool.h>
#include <stddef.h>

enum { HAND_DIM = 4, HAND_DEPTH = 8, HAND_LEAVES = 1 << HAND_DEPTH };

/* Typical programming errors. */
typedef enum hand_fault {
    HAND_RIGHT,
    HAND_ONE_END,   /* turns are checked only at the new end */
    HAND_UNIFORM,   /* equal weights for the leaves of a half */
    HAND_BIASED,    /* the choice between halves is used within them */
    HAND_LAST_HALF, /* a half with a turn still counts */
    HAND_MOMENTA,   /* p ~ N(0, I), whatever the metric */
    HAND_FAULTS
} hand_fault;

typedef struct hand_point {
    double x[HAND_DIM], p[HAND_DIM], g[HAND_DIM], logp;
} hand_point;

typedef struct hand_nuts {
    size_t dim;
    double (*density)(const double *x, double *g); /* and its gradient */
    const cs_metric *metric;                       /* NULL: the unit one */
    double step;
    int max_depth;
    hand_fault fault;
} hand_nuts;

/* The random numbers of a step, in the order in which nuts.c takes them. */
typedef struct hand_numbers {
    const double *normal;   /* [dim] L' p */
    const double *side;     /* [max_depth] uniforms, above a half: forward */
    const double *log_half; /* [max_depth] logarithms of uniforms */
    const double *log_leaf; /* [2^max_depth - 1] */
} hand_numbers;

typedef struct hand_tree {
    hand_point draw;
    int depth;     /* of the accepted tree */
    bool turns;    /* ended by its own turn, not in a half or by a limit */
    size_t leaves; /* leapfrogs */
    bool divergent;
    double accept, energy; /* accept_stat__, energy__ */
    /* All points of the accepted tree, in order of time, and the index of the
     * first. */
    hand_point point[HAND_LEAVES];
    size_t n, start;
} hand_tree;

/* From x with the momentum of `numbers`. */
void nuts_by_hand(const hand_nuts *nuts, const double *x,
                  const hand_numbers *numbers, hand_tree *out);

/* From a point with its momentum: point j of a tree of 2^depth, whose sides are
 * then those of its place, up to `depth` doublings. */
void nuts_from_place(const hand_nuts *nuts, const hand_point *from, size_t j,
                     int depth, hand_tree *out);
