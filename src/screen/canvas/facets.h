/* Facets: a figure against a parameter, one plot per figure (or per value of
 * another parameter), all with the same x axis. Each plot has one curve per arm
 * with error bars; the best point is marked. */
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
    const char *name; /* [borrowed] */
    /* number of the arm, for its glyph and colour */
    size_t number;
    const cs_multiple_point *at; /* [n] in ascending order of x [borrowed] */
    size_t n;
} cs_multiple_curve;

typedef struct cs_multiple {
    char title[160];
    /* index of the figure; facets of the same figure share a y axis */
    size_t figure;
    const cs_multiple_curve *curve; /* [n] [borrowed] */
    size_t n;
} cs_multiple;

/* Arrangement and axes: the name of the parameter, whether the axes of the
 * parameter and of the figures are logarithmic, and `together`, the number of
 * facets per row if they fit (0: the largest number that fits). */
typedef struct cs_facets_axis {
    const char *name;
    bool log_x, log_y;
    size_t together;
    /* [n_x] values of the parameter that the x axis must include, also without
     * points [borrowed] */
    const double *x;
    size_t n_x;
} cs_facets_axis;

/* Draws the facets one[n] in the largest number of columns that fits. Facets
 * that do not fit are left out, and their number is displayed. */
void cs_facets_draw(const cs_area *a, const cs_multiple *one, size_t n,
                    cs_facets_axis axis);

/* Returns the height in lines of n facets in an area of this width. */
int cs_facets_height(size_t n, size_t together, int width);
