/* Bounds on the terms of a target that is a sum over rows, prepared for drawing
 * rows in proportion to their bounds, as in the Poisson minibatches of Zhang
 * and De Sa 2019 and Zhang, Cooper and De Sa 2020. A target may have bounds of
 * one or both kinds (CS_ROW_RANGE, CS_ROW_CHANGE):
 *
 *     range    low_r <= term(x, r) <= low_r + width_r,   M_r = width_r
 *     change   |term(x, r) - term(y, r)| <= width_r M(x, y),   c_r = width_r
 *
 * Bounds are stored in single precision, rounded outwards. Together with the
 * table of cells, they take sixteen bytes per row. A row of width 0 is never
 * drawn; if all widths are 0, there are no cells. Computed terms satisfy the
 * bounds up to the rounding of a term itself: a change of 1e-17 of a term of
 * size 1 may appear as 1e-16. */
#pragma once

#include "target/target.h"

#include <assert.h>

typedef struct cs_row_bound {
    float low, width; /* for a bound on a change, `low` is 0 */
} cs_row_bound;

/* A cell of the alias method (Walker 1977; Vose 1991). A uniform fraction of 32
 * bits is compared with `limit`. If the fraction is below `limit`, the cell's
 * own row is selected; otherwise the row `other` is selected. Over all cells,
 * the probability of a row is exact to within 2^-32 of the probability of a
 * cell. */
typedef struct cs_row_cell {
    uint32_t limit, other;
} cs_row_cell;

typedef struct cs_row_bounds {
    size_t rows;
    double total;      /* sum of the widths: L of Zhang and De Sa, C of Zhang et
                     al. */
    cs_row_bound *of;  /* [rows] the bounds [own] */
    cs_row_cell *cell; /* [rows] cells that select row r with probability
                          width_r / total [own] */
} cs_row_bounds;

/* Computes the bounds of `t` of this kind (CS_ROW_RANGE or CS_ROW_CHANGE) in
 * one pass over the rows. If these bounds exist already, does nothing. The
 * computation needs sixteen more bytes per row. Fails if the target has no
 * bounds of this kind, or if a bound is not finite; the error names the row.
 * Cold, on the owner's thread; the bounds belong to the target. */
cs_status cs_row_bounds_make(cs_target *t, unsigned kind, cs_error *err);

/* Returns the existing bounds, or NULL. */
static inline const cs_row_bounds *cs_row_bounds_of(const cs_target *t,
                                                    unsigned kind)
{
    return t->bounds[kind == CS_ROW_CHANGE];
}

/* Computes measure[lanes] = M(x, y) of the CS_ROW_CHANGE bounds, for
 * x[dim][lanes] and y[dim][lanes]. Hot. This work is not counted, because it is
 * much cheaper than a term. */
static inline void cs_row_change_measure(const cs_target *t, const double *x,
                                         const double *y, size_t lanes,
                                         double *measure)
{
    t->type->rows.change_measure(t, x, y, lanes, measure);
}

/* Frees b; NULL is allowed. */
void cs_row_bounds_free(cs_row_bounds *b);

/* Draws a row in proportion to its width from a word of uniform bits. The upper
 * bits select the cell; the lower bits, which are stored in *fraction, select
 * the row within the cell. The draw is split into two functions so that cells
 * can be prefetched. */
static inline uint32_t cs_row_bounds_cell(const cs_row_bounds *b, uint64_t word,
                                          uint32_t *fraction)
{
    unsigned __int128 wide = (unsigned __int128)word * b->rows;
    *fraction = (uint32_t)((uint64_t)wide >> 32);
    return (uint32_t)(wide >> 64);
}

static inline uint32_t cs_row_bounds_choose(const cs_row_bounds *b,
                                            uint32_t cell, uint32_t fraction)
{
    assert(cell < b->rows);
    const cs_row_cell *c = &b->cell[cell];
    uint32_t own = -(uint32_t)(fraction < c->limit); /* all ones or zero, which
                                                        avoids an unpredictable
                                                        branch */
    return (cell & own) | (c->other & ~own);
}

static inline uint32_t cs_row_bounds_pick(const cs_row_bounds *b, uint64_t word)
{
    uint32_t fraction, cell = cs_row_bounds_cell(b, word, &fraction);
    return cs_row_bounds_choose(b, cell, fraction);
}
