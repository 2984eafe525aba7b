/* A convex part of the space of states: what is in a box and in a ball around
 * the origin. Where a prior says that a state is, and where bounds hold. */
#pragma once

#include "expr/graph.h"

typedef struct cs_region {
    size_t dim;
    double *low, *high; /* [own] [dim] low <= high; infinite: no end */
    double radius;      /* HUGE_VAL: no ball */
} cs_region;

/* All states. [own, cs_region_free] False: there is no memory. */
bool cs_region_create(size_t dim, cs_region *out);
void cs_region_free(cs_region *r);

/* Whether it is less than all states. */
bool cs_region_has_end(const cs_region *r);

/* Whether x[dim] is in it. */
bool cs_region_contains(const cs_region *r, const double *x);

/* Moves x[dim] into it, towards the origin or the nearest side. */
void cs_region_squeeze(const cs_region *r, double *x);

/* x[dim] of uniform[dim]: in the middle part of it, and of (-2, 2) where they
 * meet. */
void cs_region_start(const cs_region *r, const double *uniform, double *x);

/* `value` where node x[dim] of g is in the region, -infinity elsewhere. */
cs_node cs_region_guard(const cs_region *r, cs_graph *g, cs_node x,
                        cs_node value);

/* Makes `r` as small as the number `logp` of g[dim] lets it be, so far as that
 * can be read from it: where outside of r logp is -infinity, or no number. */
void cs_region_support(cs_region *r, const cs_graph *g, cs_node logp);
