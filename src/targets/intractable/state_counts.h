/* How many states have which statistics: then Z is a short sum,
 *
 *     Z(theta) = sum over k of count_k exp(theta_1 s_k1 + theta_2 s_k2 + ...),
 *
 * exact for every theta. */
#pragma once

#include "targets/intractable/site_graph.h"

#include <stdbool.h>

typedef struct cs_state_counts {
    size_t n, statistics; /* n 0: they are too many to be counted */
    double *log_count;    /* [n] [own] */
    double *s;            /* [statistics][n] [own] */
} cs_state_counts;

/* Sites on a graph, each with one of `values`. */
typedef struct cs_counted {
    const cs_site_graph *graph;
    size_t values;
    bool both; /* an edge counts where both ends have value 1, else where they
                  have the same value */
    size_t special; /* the second statistic is how many sites have this value */
    size_t statistics; /* 1, of edges alone, or 2 */
} cs_counted;

/* Counts them by transfer: sites are added one after the other, and of those
 * before only the ones with neighbours to come are told apart, so that grids
 * up to about 10 x 10 take a moment. n = 0 where that is too much. [own,
 * cs_state_counts_free] Cold. */
cs_status cs_state_counts_sites(cs_state_counts *c, const cs_counted *of,
                                cs_error *err);

/* The graphs of so many vertices, by their edges, two-stars and triangles: one
 * after the other, each different from the one before by one edge. n = 0 beyond
 * seven vertices. [own] Cold. */
cs_status cs_state_counts_graphs(cs_state_counts *c, size_t vertices,
                                 size_t statistics, cs_error *err);

void cs_state_counts_free(cs_state_counts *c);
