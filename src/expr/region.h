/* A convex region of the state space: the intersection of a box and a ball
 * around the origin. Such a region is the support of a prior, or the domain of
 * bounds. */
#pragma once

#include "expr/graph.h"

typedef struct cs_region {
    size_t dim;
    double *low, *high; /* [own] [dim] low <= high; infinite: unbounded */
    double radius;      /* radius of the ball; HUGE_VAL: no ball */
} cs_region;

/* Creates the region of all states. [own, cs_region_free] Returns false if out
 * of memory. */
bool cs_region_create(size_t dim, cs_region *out);
void cs_region_free(cs_region *r);

/* Returns true if the region is not the whole space. */
bool cs_region_has_end(const cs_region *r);

/* Returns true if x[dim] is in the region. */
bool cs_region_contains(const cs_region *r, const double *x);

/* Moves x[dim] into the region: towards the origin, or to the nearest side of
 * the box. */
void cs_region_squeeze(const cs_region *r, double *x);

/* Maps uniform[dim] to x[dim] in the central part of the region, intersected
 * with (-2, 2) if possible. */
void cs_region_start(const cs_region *r, const double *uniform, double *x);

/* Returns `value` if node x[dim] of g is in the region, else -infinity. */
cs_node cs_region_guard(const cs_region *r, cs_graph *g, cs_node x,
                        cs_node value);

/* Shrinks `r` to the support of the log density `logp`, a number of g, as far
 * as the support can be derived from the graph. logp is -infinity or NaN at
 * every state that is removed from `r`. */
void cs_region_support(cs_region *r, const cs_graph *g, cs_node logp);
