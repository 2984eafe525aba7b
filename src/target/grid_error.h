/* Error bound of a distribution that is a sum over the cells of a grid. */
#pragma once

#include "target/enumeration.h"

/* Largest error of a distribution function at a border of cells, as far as the
 * grid itself can tell, and its parts:
 *
 *   coarse   from sums over every third row and column, which have cells three
 *            times as wide: half the largest difference from the whole grid.
 *            Cells whose density is smooth are off by an eighth of it, those
 *            with a jump by some half. Beyond CS_GRID_COARSE nothing follows
 *            from it, and it is 1.
 *   outside  the mass beyond the grid, from how the outermost cells fall off
 *   edge     half the mass of cells beside which one is impossible, since the
 *            edge of what is possible goes through either of both
 *
 * A narrow peak between all points of the grid is not detected. */
#define CS_GRID_COARSE 0.05
typedef struct cs_grid_error {
    double coarse, outside, edge;
    double beyond[2][2]; /* parts of `outside` at the low and high end of each
                         axis */
    size_t first[2], last[2]; /* rows of each axis with more than 1e-9 of the
                                 mass */
} cs_grid_error;

/* Computes it from truth->p and truth->logp; false if out of memory. */
bool cs_grid_error_of(const cs_enumeration *truth, cs_grid_error *out);

/* Returns their sum, at most 1. */
double cs_grid_error_sum(const cs_grid_error *e);
