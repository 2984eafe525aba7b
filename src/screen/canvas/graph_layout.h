/* The layout of tours and graphs: places in the plane, a tour that visits them
 * all or a graph that joins them. Without coordinates they are on a circle. */
#pragma once

#include "screen/canvas/pixels.h"

typedef struct cs_graph_layout {
    const double *place; /* [n][2] x, y, or NULL [borrowed] */
    size_t n;
    const double *edge; /* [edges][2] indices of places, from 0 [borrowed] */
    size_t edges;
} cs_graph_layout;

/* Draws a tour, order[n]: indices of places in visiting order; invalid ones are
 * left out. Few places are numbered in this order; of many, the first place and
 * those after one and two thirds of the tour, which shows its direction. */
void cs_graph_layout_tour(const cs_area *a, const cs_graph_layout *p,
                          const double *order);

/* The difference of two tours, regardless of direction. */
typedef struct cs_detour {
    size_t added;  /* edges */
    size_t missed; /* places never reached, which makes the tour infeasible */
} cs_detour;

/* Draws the change from tour was[n] to now[n]: new edges solid, dropped ones
 * dashed, common ones dotted; an x marks a place that is never reached. */
cs_detour cs_graph_layout_detour(const cs_area *a, const cs_graph_layout *p,
                                 const double *was, const double *now);

/* The same without drawing. */
cs_detour cs_graph_layout_compare(const cs_graph_layout *p, const double *was,
                                  const double *now);

/* Draws the key to these signs in line y. */
void cs_graph_layout_detour_signs(const cs_area *a, int y, bool missed);

/* Draws a graph; place i has pixel i. Edges between different levels are lines,
 * the others dotted. */
void cs_graph_layout_graph(const cs_area *a, const cs_graph_layout *p,
                           const cs_pixels *x);
