/* The layout of panels: rows of panels, with sizes from weights and minimum
 * sizes. Panels that do not fit become tabs. */
#pragma once

#include "screen/state/slot.h"

enum { CS_LAYOUT_PANELS = 48 };

typedef struct cs_layout_place {
    size_t panel; /* index of the panel in the list of slots */
    int x, y, w, h;
} cs_layout_place;

typedef struct cs_layout {
    cs_layout_place place[CS_LAYOUT_PANELS];
    size_t n;
    bool hidden; /* some panels did not fit */
} cs_layout;

/* Sizes set by dragging, as shares, in cells, of the space that remains
 * after the minimum sizes. A size of 0 is determined by the weights of the
 * panel types. */
typedef struct cs_layout_sizes {
    double wide[CS_LAYOUT_PANELS], tall[CS_LAYOUT_PANELS];
} cs_layout_sizes;

/* The panels of the screen and the focused panel. */
typedef struct cs_slots {
    cs_slot of[CS_LAYOUT_PANELS];
    size_t n, focus, preset;
    cs_layout_sizes sizes; /* for panels whose borders were moved */
    bool zoom;
    /* true if the panel that is now the only one was visible before */
    bool alone_on;
    size_t alone_from; /* the panel that had the focus before */
} cs_slots;

/* Places the visible panels of slot[n], with their frames, on w x h cells.
 * Panel `focus` is always placed, even if it is not switched on. The
 * division into rows does not depend on `sizes` (NULL: none). */
cs_layout cs_layout_make(const cs_slot *slot, size_t n, size_t focus,
                         const cs_layout_sizes *sizes, int w, int h);

/* Moves the border between place i and its right neighbour (with `down`, the
 * neighbour below) by `by` cells, and updates `sizes`. */
void cs_layout_move(const cs_slot *slot, const cs_layout *l, size_t i,
                    bool down, int by, cs_layout_sizes *sizes);
