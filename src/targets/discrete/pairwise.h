/* Quadratic log densities of bits:
 *
 *     log p(x) = c + sum_i b_i x_i + sum_{i<j} w_ij x_i x_j,   x in {0, 1}^dim.
 *
 * This is the common form of Ising models, cuts and quadratic binary programs.
 * The cache of a lane holds the slope at its state,
 *
 *     g_i = b_i + sum_j w_ij x_j,
 *
 * which is the gradient of the multilinear extension. Flipping bit i changes
 * log p by exactly (1 - 2 x_i) g_i. Therefore a site difference is read from
 * the cache, and a flip costs one operation per neighbour of the site. */
#pragma once

#include "data/edges.h"
#include "simd/simd.h"
#include "target/target.h"
#include "targets/discrete/neighbour_sums.h"

/* The coefficients of log p. The neighbours of i are other[start[i] .. start[i
 * + 1]), in ascending order, with their weights. The first member of the
 * target's `self` must be a cs_pairwise. */
typedef struct cs_pairwise {
    size_t dim;
    double constant;
    double *linear;  /* [dim] the coefficients b [own] */
    size_t *start;   /* [dim + 1] index of the first neighbour of each site
                        [own] */
    uint32_t *other; /* [start[dim]] the neighbours of each site [own] */
    double *weight;  /* [start[dim]] weights w of the neighbours [own] */
    cs_neighbour_sums
        sums;       /* table indexed by the sum over the neighbours of a bit.
                     * The values are P(the bit is 1 | its neighbours), or other
                     * values that the target looks up [own] */
    double *field;  /* [dim][2] fields in addition to the bonds; NULL: no fields
                       [own] */
    uint32_t *edge; /* edges for the picture of a small graph; NULL: no picture
                       [own] */
} cs_pairwise;

/* Builds log p from a graph with sorted edges, without parallel edges
 * (cs_edges_tidy): an edge i < j gives w_ij, an edge i = i adds to b_i. [own,
 * cs_pairwise_free] */
cs_status cs_pairwise_make(cs_pairwise *p, const cs_edges *e, cs_error *err);
void cs_pairwise_free(cs_pairwise *p);

/* Fills p->sums with the values of the function `value`. One such function is
 * cs_pairwise_chance, which returns P(a bit is 1 | the rest). */
cs_status cs_pairwise_sum(cs_pairwise *p, cs_neighbour_sums_value *value,
                          const void *self, cs_error *err);
cs_neighbour_sums_value cs_pairwise_chance;

/* Sets the target's space, cache, bonds, view and picture. The picture is the
 * graph, if the graph is small enough to be displayed. */
void cs_pairwise_set_hooks(const cs_pairwise *p, cs_target *t);

/* Implement `create` and `destroy` for a target that consists only of log p.
 * The function `edges` computes the edges of log p from the parameters. [`out`
 * owns the edges, even on failure] */
typedef cs_status cs_pairwise_edges(const cs_value *values, cs_edges *out,
                                    cs_error *err);
cs_status cs_pairwise_create(cs_target *t, cs_pairwise_edges *edges,
                             const cs_value *values, cs_error *err);
void cs_pairwise_destroy(cs_target *t);

/* Functions for target types with a quadratic log p. Call them only from files
 * that are compiled once per instruction set. */
void CS_VARIANT(cs_pairwise_log_density)(const cs_target *t, const cs_point *at,
                                         double *logp);
void CS_VARIANT(cs_pairwise_gradient)(const cs_target *t, const cs_point *at,
                                      double *logp, double *g);
void CS_VARIANT(cs_pairwise_site)(const cs_target *t, const cs_point *at,
                                  const uint32_t *site, double *d);
void CS_VARIANT(cs_pairwise_site_moved)(const cs_target *t, const cs_point *at,
                                        const uint32_t *site,
                                        const double *value);
void CS_VARIANT(cs_pairwise_neighbours)(const cs_target *t, const cs_point *at,
                                        double *d);
void CS_VARIANT(cs_pairwise_resample)(const cs_target *t, const cs_point *at,
                                      const cs_streams *s, size_t times,
                                      double *x, bool *moved);
/* Returns the bonds of a site. They follow from w x y = w/2 ([x = y] + x + y -
 * 1) for bits x and y. */
cs_site_bonds CS_VARIANT(cs_pairwise_bonds)(const cs_target *t, size_t site);
