/* Graphs whose sites are the data, as lists of neighbours. */
#pragma once

#include "data/edges.h"

enum { CS_GRAPH_NEIGHBOURS = 255 /* maximum number of neighbours of a site */ };

/* The neighbours of i are other[start[i] .. start[i + 1]). The elements of
 * edge[] at the same indices are the numbers of the edges to these neighbours.
 * A neighbour that two edges join to i is listed twice. */
typedef struct cs_site_graph {
    size_t sites, edges;
    size_t *start;      /* [sites + 1] index of the first neighbour of each site
                           [own] */
    uint32_t *other;    /* [2 edges] neighbours of each site [own] */
    uint32_t *edge;     /* [2 edges] index of the edge to each neighbour
                           [own] */
    uint32_t *end;      /* [edges][2] the two sites of an edge [own] */
    uint32_t *kind;     /* [sites] kind of each site: all sites that have the
                         * same number of neighbours have the same kind [own] */
    size_t *degree;     /* [kinds] number of neighbours of a site of the kind
                           [own] */
    size_t kinds, most; /* most: largest number of neighbours */
} cs_site_graph;

/* Builds the graph from edges that are sorted, with parallel edges merged
 * (cs_edges_tidy). The weight of an edge is an integer, the number of times
 * that the edge occurs. Rejects edges from a site to itself. [own,
 * cs_site_graph_free] */
cs_status cs_site_graph_make(cs_site_graph *g, const cs_edges *e,
                             cs_error *err);
void cs_site_graph_free(cs_site_graph *g);
