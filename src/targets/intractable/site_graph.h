/* Graphs whose sites are the data: who is next to whom. */
#pragma once

#include "data/edges.h"

enum { CS_GRAPH_NEIGHBOURS = 255 /* of a site, at most */ };

/* Neighbours of i: other[start[i] .. start[i + 1]), joined to it by the edges
 * edge[...] of the same places; two that are joined twice are listed twice. */
typedef struct cs_site_graph {
    size_t sites, edges;
    size_t *start;   /* [sites + 1] [own] */
    uint32_t *other; /* [2 edges] [own] */
    uint32_t *edge;  /* [2 edges] [own] */
    uint32_t *end;   /* [edges][2] the ends of an edge [own] */
    uint32_t *kind;  /* [sites] sites of as many neighbours are of a kind: its
                        number [own] */
    size_t *degree;  /* [kinds] neighbours of a site of the kind [own] */
    size_t kinds, most; /* most: neighbours */
} cs_site_graph;

/* From tidy edges, whose weights are how often they count: whole numbers. Edges
 * from a site to itself are refused. [own, cs_site_graph_free] */
cs_status cs_site_graph_make(cs_site_graph *g, const cs_edges *e,
                             cs_error *err);
void cs_site_graph_free(cs_site_graph *g);
