/* The layout of tours and graphs: places in the plane, with a tour that visits
 * all places or a graph that connects them. Without coordinates, places are
 * drawn on a circle. */
#pragma once

#include "screen/canvas/pixels.h"

typedef struct cs_graph_layout {
    const double *place; /* [n][2] x, y, or NULL [borrowed] */
    size_t n;
    const double *edge; /* [edges][2] indices of places, from 0 [borrowed] */
    size_t edges;
} cs_graph_layout;

/* Draws a tour, order[n]: indices of places in visiting order; invalid
 * indices are left out. If there are only a few places, all of them are
 * numbered in this order. Otherwise only the first place and the places
 * after one and two thirds of the tour are numbered, which shows the
 * direction. */
void cs_graph_layout_tour(const cs_area *a, const cs_graph_layout *p,
                          const double *order);

/* The difference between two tours, regardless of direction. */
typedef struct cs_detour {
    size_t added; /* number of edges that only the new tour has */
    /* number of places that are never reached; above 0: infeasible tour */
    size_t missed;
} cs_detour;

/* Draws the change from tour was[n] to now[n]: new edges solid, dropped edges
 * dashed, common edges dotted. An x marks a place that is never reached. */
cs_detour cs_graph_layout_detour(const cs_area *a, const cs_graph_layout *p,
                                 const double *was, const double *now);

/* Computes the difference without drawing. */
cs_detour cs_graph_layout_compare(const cs_graph_layout *p, const double *was,
                                  const double *now);

/* Draws, in line y, the legend of the marks that show a change of the tour. */
void cs_graph_layout_detour_signs(const cs_area *a, int y, bool missed);

/* Draws a graph; place i shows pixel i. Edges between different levels are
 * solid, other edges dotted. */
void cs_graph_layout_graph(const cs_area *a, const cs_graph_layout *p,
                           const cs_pixels *x);
