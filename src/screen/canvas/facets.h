/* Facets: a figure against a parameter, one plot for each figure (or each value
 * of another parameter), all with the same x axis; each has one curve per arm
 * with error bars, and the best point is marked. */
#pragma once

#include "screen/canvas/plot.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_multiple_point {
    double x, y;      /* y NAN: no value */
    double low, high; /* ends of the error bar; NAN: not known */
    bool best;
} cs_multiple_point;

typedef struct cs_multiple_curve {
    const char *name;            /* [borrowed] */
    size_t number;               /* of the arm, for glyph and colour */
    const cs_multiple_point *at; /* [n] in the order of x [borrowed] */
    size_t n;
} cs_multiple_curve;

typedef struct cs_multiple {
    char title[160];
    size_t figure;                  /* facets of one figure share a y axis */
    const cs_multiple_curve *curve; /* [n] [borrowed] */
    size_t n;
} cs_multiple;

/* Arrangement and axes: the name of the parameter, whether its axis and those
 * of the figures are logarithmic, and `together`, the number of facets per row
 * if they fit; 0: as many as fit. */
typedef struct cs_facets_axis {
    const char *name;
    bool log_x, log_y;
    size_t together;
} cs_facets_axis;

/* Draws one[n] in as many columns as fit; facets that do not fit are left out
 * and counted. */
void cs_facets_draw(const cs_area *a, const cs_multiple *one, size_t n,
                    cs_facets_axis axis);

/* Returns the height that n facets need in an area of this width. */
int cs_facets_height(size_t n, size_t together, int width);
