/* Places in the plane: a tour that visits them all, a graph that joins them.
 * Without positions they stand on a circle. */
#ifndef CS_SCREEN_PLACES_H
#define CS_SCREEN_PLACES_H

#include "screen/pixels.h"

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

/* Place i is pixel i. Edges that join different levels are lines, the others
 * dotted. */
void cs_places_graph(const cs_area *a, const cs_places *p, const cs_pixels *x);

#endif
