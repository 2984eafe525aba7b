/* Places in the plane: a tour that visits them all, a graph that joins them.
 * Without positions they stand on a circle. */
#pragma once

#include "screen/canvas/pixels.h"

typedef struct cs_places {
    const double *place; /* [n][2] x, y, or NULL [borrowed] */
    size_t n;
    const double *edge; /* [edges][2] numbers of places, from 0 [borrowed] */
    size_t edges;
} cs_places;

/* order[n]: numbers of places in turn; what is none is left out. Few places
 * are numbered in their turn, of many the first and those after a third and
 * two thirds of the tour: so it has a direction. */
void cs_places_tour(const cs_area *a, const cs_places *p, const double *order);

/* What one tour has that another has not, whichever way round they go. */
typedef struct cs_detour {
    size_t added, removed; /* ways */
    size_t missed;         /* places where it never comes: it is no tour */
} cs_detour;

/* was[n] and now[n], as above: ways that are new are drawn through, those given
 * up dashed, those of both dotted; an x is a place that is missed. */
cs_detour cs_places_detour(const cs_area *a, const cs_places *p,
                           const double *was, const double *now);

/* The same without drawing. */
cs_detour cs_places_compare(const cs_places *p, const double *was,
                            const double *now);

/* What these signs mean, in line y. */
void cs_places_detour_signs(const cs_area *a, int y, bool missed);

/* Place i is pixel i. Edges that join different levels are lines, the others
 * dotted. */
void cs_places_graph(const cs_area *a, const cs_places *p, const cs_pixels *x);
