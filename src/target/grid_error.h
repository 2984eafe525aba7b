/* How far a law that is a sum over the cells of a grid may be off. */
#pragma once

#include "target/enumeration.h"

/* What a distribution function at a border of cells is off at most, as far as
 * the grid itself can tell, and of what this consists:
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
 * A needle between all points of the grid is in none of them. */
#define CS_GRID_COARSE 0.05
typedef struct cs_grid_error {
    double coarse, outside, edge;
    double beyond[2]
                 [2]; /* of `outside`: at the low and high end of each axis */
    size_t first[2], last[2]; /* rows of each axis that have more than 1e-9 of
                                 the mass */
} cs_grid_error;

/* Of truth->p and truth->logp; false: memory is wanting. */
bool cs_grid_error_of(const cs_enumeration *truth, cs_grid_error *out);

/* Their sum, 1 at most. */
double cs_grid_error_sum(const cs_grid_error *e);
