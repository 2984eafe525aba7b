/* Small multiples: a figure against a parameter, a picture for each figure (or each
 * value of another parameter), all with one x axis; in each a curve an arm, its
 * values with their errors, the best marked. */
#pragma once

#include "screen/canvas/plot.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_multiple_point {
    double x, y;      /* y NAN: there is none */
    double low, high; /* the error bar; NAN: no error is known */
    bool best;
} cs_multiple_point;

typedef struct cs_multiple_curve {
    const char *name;            /* [borrowed] */
    size_t number;               /* of the arm: its glyph and colour */
    const cs_multiple_point *at; /* [n] in the order of x [borrowed] */
    size_t n;
} cs_multiple_curve;

typedef struct cs_multiple {
    char title[160];
    size_t figure;                  /* those of one figure have one y axis */
    const cs_multiple_curve *curve; /* [n] [borrowed] */
    size_t n;
} cs_multiple;

/* Where they stand: the name of the parameter, and whether its axis, and those of
 * the figures, are logarithmic. So many stand in one row where they can, 0: as
 * many as there is room for. */
typedef struct cs_multiples_axis {
    const char *name;
    bool log_x, log_y;
    size_t together;
} cs_multiples_axis;

/* Draws one[n] in as many columns as there is room for; those for which there is no
 * room are left out, and that is said. */
void cs_multiples_draw(const cs_area *a, const cs_multiple *one, size_t n,
                       cs_multiples_axis axis);

/* The height that n of them want in an area so wide. */
int cs_multiples_height(size_t n, size_t together, int width);
