/* Error bound of a distribution that is computed as a sum over the cells of a
 * grid. */
#pragma once

#include "target/enumeration.h"

/* Estimate of the largest error that a distribution function has at a border of
 * cells. It has three parts, which are computed from the grid itself:
 *
 *   coarse   half the largest difference between the grid and a grid with cells
 *            three times as wide, made of every third row and column. The true
 *            error is about an eighth of the difference for a smooth density,
 *            and about half of it for a density with a jump. A value above
 *            CS_GRID_COARSE is unreliable and is replaced by 1.
 *   outside  the mass outside the grid, extrapolated from the outermost cells
 *   edge     half the mass of the cells next to a cell of density 0, because
 *            the edge of the support passes through one of the two cells
 *
 * A narrow peak is not detected if it is between the points of the grid. */
#define CS_GRID_COARSE 0.05
typedef struct cs_grid_error {
    double coarse, outside, edge;
    double beyond[2][2]; /* the terms of `outside` at the low end and the high
                            end of each axis */
    size_t first[2], last[2]; /* first and last row of each axis that has more
                                 than 1e-9 of the mass */
} cs_grid_error;

/* Computes the error bound from truth->p and truth->logp; false if out of
 * memory. */
bool cs_grid_error_of(const cs_enumeration *truth, cs_grid_error *out);

/* Returns the sum of the three parts, at most 1. */
double cs_grid_error_sum(const cs_grid_error *e);
