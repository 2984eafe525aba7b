/* A second implementation of the No-U-Turn sampler, recursive and for one
 * chain. It follows the pseudo code of Hoffman and Gelman (2014, algorithms 2
 * and 3) with the weights of Betancourt (2017, appendix A) and the additional
 * turn checks of Stan. Momenta are p ~ N(0, S^-1), and positions move by S
 * p. */
#pragma once

#include "kernel/metric.h"

#include <stdbool.h>
#include <stddef.h>

enum { HAND_DIM = 4, HAND_DEPTH = 8, HAND_LEAVES = 1 << HAND_DEPTH };

/* Typical programming errors; HAND_RIGHT is the correct sampler. */
typedef enum hand_fault {
    HAND_RIGHT,
    HAND_ONE_END,   /* turns are checked only at the new end */
    HAND_UNIFORM,   /* equal weights for the leaves of a half */
    HAND_BIASED,    /* biased choice of the point also within a half */
    HAND_LAST_HALF, /* a half in which the trajectory turns still counts */
    HAND_MOMENTA,   /* p ~ N(0, I), whatever the metric */
    HAND_FAULTS
} hand_fault;

typedef struct hand_point {
    double x[HAND_DIM], p[HAND_DIM], g[HAND_DIM], logp;
} hand_point;

typedef struct hand_nuts {
    size_t dim;
    double (*density)(const double *x, double *g); /* returns log p and computes
                                                    * its gradient g */
    const cs_metric *metric;                       /* NULL: the unit matrix */
    double step;
    int max_depth;
    hand_fault fault;
} hand_nuts;

/* The random numbers of a step, in the order in which nuts.c uses them. */
typedef struct hand_numbers {
    const double *normal;   /* [dim] normals, equal to L' p */
    const double *side;     /* [max_depth] uniforms; above 1/2 means forward */
    const double *log_half; /* [max_depth] logs of uniforms */
    const double *log_leaf; /* [2^max_depth - 1] logs of uniforms */
} hand_numbers;

typedef struct hand_tree {
    hand_point draw;
    int depth;     /* depth of the accepted tree */
    bool turns;    /* ended by a turn of the whole tree, not of a half */
    size_t leaves; /* number of leapfrogs */
    bool divergent;
    double accept, energy; /* accept_stat__, energy__ */
    /* The points of the accepted tree in order of time; `start` is the index of
     * the initial point. */
    hand_point point[HAND_LEAVES];
    size_t n, start;
} hand_tree;

/* Builds a tree from x with the random numbers given. */
void nuts_by_hand(const hand_nuts *nuts, const double *x,
                  const hand_numbers *numbers, hand_tree *out);

/* Rebuilds a tree from another point of this tree. `from` is point j of a tree
 * of 2^depth points. j determines the direction of each doubling. */
void nuts_from_place(const hand_nuts *nuts, const hand_point *from, size_t j,
                     int depth, hand_tree *out);
