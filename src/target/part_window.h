/* A window: a target on some coordinates of another target, the whole, while
 * the other coordinates are fixed. It is an ordinary target of one kind, so
 * that every kernel that moves single chains by log p, its gradient or its
 * differences can move a part of a state.
 *
 * The evaluator of a window has the states of the whole, `around`, and the
 * window's own states x are separate. To evaluate log p at y, the window writes
 * y to its rows of `around` and asks the whole. Its rows of `around` therefore
 * hold the point evaluated last, and are not restored; the owner of the
 * evaluator writes the states of the window back at the end
 * (cs_part_window_scatter). The work per evaluation is proportional to the size
 * of the window, however large the whole is. The other rows never change.
 *
 * The caches NOW and NEXT of a window are those of the whole, so that a cache
 * remains valid when another window of the same whole moves. */
#pragma once

#include "target/target.h"

typedef struct cs_part_window {
    cs_target *whole;     /* the whole, which is not a window [held] */
    size_t first, n;      /* the first coordinate, and the number of
                             coordinates */
    uint32_t *coordinate; /* [n] the coordinates in ascending order; NULL: they
                             are adjacent [own] */
    /* The sites of each colour of the whole that the window has, as coordinates
     * of the window, and in the same places as coordinates of the whole; colours
     * without any are left out. */
    uint32_t *coloured, *coloured_whole; /* [n] [own] */
    size_t *colour_end; /* [n_colours] end of each colour in `coloured` [own] */
    size_t n_colours;
    cs_target_type type; /* the type of the window: it has those functions that
                             the whole has */
} cs_part_window;

/* Creates a window of the n coordinates coordinate[n] of `whole`, in ascending
 * order, which must be of the same kind and have the same values. The window
 * has one holder and the name `name` [copied]. If the window would have all
 * coordinates, *out is `whole` itself, held once more. Fails with
 * CS_UNSUPPORTED if the kinds of the coordinates differ. If `whole` is itself a
 * window, the new window belongs to the whole of that window. Cold. */
cs_status cs_part_window_create(cs_target *whole, const uint32_t *coordinate,
                                size_t n, const char *name, cs_target **out,
                                cs_error *err);

/* Returns the data of a window; NULL if the target is not a window. */
const cs_part_window *cs_part_window_of(const cs_target *t);

/* Returns the coordinate of the whole that is coordinate i of the window. */
static inline uint32_t cs_part_window_coordinate(const cs_part_window *w,
                                                 size_t i)
{
    return w->coordinate ? w->coordinate[i] : (uint32_t)(w->first + i);
}

/* cs_part_window_gather copies the window's rows of around[whole dim][lanes] to
 * x[n][lanes]; cs_part_window_scatter copies x back. */
void cs_part_window_gather(const cs_part_window *w, const double *around,
                           size_t lanes, double *x);
void cs_part_window_scatter(const cs_part_window *w, const double *x,
                            size_t lanes, double *around);
