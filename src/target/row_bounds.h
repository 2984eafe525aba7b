/* Bounds of the terms of a target that is a sum over rows, made ready for
 * drawing rows in proportion to them: what the Poisson minibatches of Zhang and
 * De Sa 2019 and Zhang, Cooper and De Sa 2020 are drawn with. Two kinds, by
 * what the target can say (CS_ROW_RANGE, CS_ROW_CHANGE):
 *
 *     range    low_r <= term(x, r) <= low_r + width_r,   M_r = width_r
 *     change   |term(x, r) - term(y, r)| <= width_r M(x, y),   c_r = width_r
 *
 * In single precision, rounded outwards: sixteen bytes a row with the table of
 * draws. A row of width 0 is never drawn; where all are, there are no cells. Terms are
 * within them as they are computed, but for the rounding of a term itself: a
 * change of 1e-17 of a term of size 1 may show as 1e-16. */
#pragma once

#include "target/target.h"

#include <assert.h>

typedef struct cs_row_bound {
    float low, width; /* of a change low is 0 */
} cs_row_bound;

/* A cell of the alias method (Walker 1977; Vose 1991): of a uniform fraction of
 * 32 bits, below `limit` the cell's own row, else `other`. Over all cells a row
 * has its probability to 2^-32 of a cell's. */
typedef struct cs_row_cell {
    uint32_t limit, other;
} cs_row_cell;

typedef struct cs_row_bounds {
    size_t rows;
    double total; /* of the widths: L of Zhang and De Sa, C of Zhang et al. */
    cs_row_bound *of;  /* [rows] [own] */
    cs_row_cell *cell; /* [rows] [own] row r with probability width_r / total */
} cs_row_bounds;

/* Makes the bounds of this kind (CS_ROW_RANGE or CS_ROW_CHANGE) of `t` unless
 * it has them: a pass of the target's over its rows, and sixteen bytes a row more
 * while it works. Fails where the target has none, or one that is no finite
 * number: the error names the row. Cold, on the owner's thread; the bounds
 * belong to the target. */
cs_status cs_row_bounds_make(cs_target *t, unsigned kind, cs_error *err);

/* Those that were made, or NULL. */
static inline const cs_row_bounds *cs_row_bounds_of(const cs_target *t,
                                                    unsigned kind)
{
    return t->bounds[kind == CS_ROW_CHANGE];
}

/* measure[lanes] = M(x, y) of the bounds of changes, x[dim][lanes] and
 * y[dim][lanes]; hot, and next to nothing beside a term: it is not counted. */
static inline void cs_row_change_measure(const cs_target *t, const double *x,
                                         const double *y, size_t lanes,
                                         double *measure)
{
    t->type->rows.change_measure(t, x, y, lanes, measure);
}

/* Frees them; NULL is fine. */
void cs_row_bounds_free(cs_row_bounds *b);

/* A row in proportion to its width, from a word whose bits are uniform: the
 * cell by its upper bits, the choice in it by those below, which are *fraction.
 * In two parts, so that cells may be fetched before they are looked at. */
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
    uint32_t own = -(uint32_t)(fraction < c->limit); /* no one can foretell */
    return (cell & own) | (c->other & ~own);
}

static inline uint32_t cs_row_bounds_pick(const cs_row_bounds *b, uint64_t word)
{
    uint32_t fraction, cell = cs_row_bounds_cell(b, word, &fraction);
    return cs_row_bounds_choose(b, cell, fraction);
}
