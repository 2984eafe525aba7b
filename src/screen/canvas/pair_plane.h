/* The joint density of two quantities of an arm, as reported by the session
 * (run/draws/quantities.h). */
#pragma once

#include "race/shot.h"
#include "screen/canvas/plot.h"

typedef struct cs_pair_plane {
    const unsigned char *level; /* [high][wide], row 0 at the top [borrowed] */
    size_t wide, high;
    double left, right, bottom, top; /* edges of the cells */
    double most; /* share of the draws in a cell of the highest level */
} cs_pair_plane;

/* Finds the plane of quantities i < j in report k of an arm. Returns false if
 * it is missing. */
bool cs_pair_plane_find(const cs_shot *s, size_t arm, size_t k, size_t i,
                        size_t j, cs_pair_plane *out);

/* Computes the density (share of the draws per unit of area) in each half cell
 * of a picture with w columns and h lines of half cells, out[h][w], which shows
 * these parts of the axes. The mass is exact: a cell contributes in
 * proportion to its part that a half cell covers. Returns the largest
 * density. */
double cs_pair_plane_density(const cs_pair_plane *p, cs_scale x, cs_scale y,
                             int w, int h, double *out);
