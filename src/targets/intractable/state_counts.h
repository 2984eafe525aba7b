/* Counts of the states that have equal statistics. Z is then a short sum,
 *
 *     Z(theta) = sum over k of count_k exp(theta_1 s_k1 + theta_2 s_k2 + ...),
 *
 * which is exact for every theta. */
#pragma once

#include "targets/intractable/site_graph.h"

#include <stdbool.h>

typedef struct cs_state_counts {
    size_t n, statistics; /* n: number of distinct statistics; 0: there are too
                             many states to count */
    double *log_count;    /* [n] log of the number of states [own] */
    double *s;            /* [statistics][n] the statistics [own] */
} cs_state_counts;

/* A model of sites on a graph, each with one of `values` values. */
typedef struct cs_counted {
    const cs_site_graph *graph;
    size_t values;
    bool both;      /* true: count edges whose sites both have value 1; false:
                       count edges whose sites have the same value */
    size_t special; /* the second statistic is the number of sites with this
                       value */
    size_t statistics; /* 1 (edges only) or 2 */
} cs_counted;

/* Counts the states by a transfer matrix. Sites are added one after the other.
 * The matrix keeps the value of an added site only while some neighbour of this
 * site is not yet added. Grids up to about 10 x 10 are therefore fast. Sets n =
 * 0 if counting would take too much time or memory. [own, cs_state_counts_free]
 * Cold. */
cs_status cs_state_counts_sites(cs_state_counts *c, const cs_counted *of,
                                cs_error *err);

/* Counts the graphs with this many vertices by their edges, two-stars and
 * triangles. Enumerates the graphs in an order in which successive graphs
 * differ by one edge. Sets n = 0 for more than seven vertices. [own] Cold. */
cs_status cs_state_counts_graphs(cs_state_counts *c, size_t vertices,
                                 size_t statistics, cs_error *err);

void cs_state_counts_free(cs_state_counts *c);
