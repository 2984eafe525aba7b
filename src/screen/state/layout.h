/* Where panels stand: rows of panels, sizes from weights with minima. What
 * does not fit becomes a tab. */
#pragma once

#include "screen/state/slot.h"

enum { CS_LAYOUT_PANELS = 48 };

typedef struct cs_layout_place {
    size_t panel; /* index in the list that was given */
    int x, y, w, h;
} cs_layout_place;

typedef struct cs_layout {
    cs_layout_place place[CS_LAYOUT_PANELS];
    size_t n;
    bool hidden; /* some panels found no room */
} cs_layout;

/* The shares of the room beyond their least size that panels were given by
 * hand, in cells; 0: by their type's weights. */
typedef struct cs_layout_sizes {
    double wide[CS_LAYOUT_PANELS], tall[CS_LAYOUT_PANELS];
} cs_layout_sizes;

/* The panels that there are, and which is in front. */
typedef struct cs_slots {
    cs_slot of[CS_LAYOUT_PANELS];
    size_t n, focus, preset;
    cs_layout_sizes sizes; /* of panels whose borders were moved */
    bool zoom;
    bool alone_on;     /* a panel was there before it was shown alone; */
    size_t alone_from; /* the panel that had the focus then */
} cs_slots;

/* Places the panels of slot[n] that are on, on w x h cells, frames
 * included. `focus` always finds room, on or not. Which stand in a row is as it would be
 * without `sizes` (NULL: none). */
cs_layout cs_layout_make(const cs_slot *slot, size_t n, size_t focus,
                         const cs_layout_sizes *sizes, int w, int h);

/* Moves the border between place i and the one on its right (or beneath it,
 * where `down`) by `by` cells: `sizes` becomes that. */
void cs_layout_move(const cs_slot *slot, const cs_layout *l, size_t i,
                    bool down, int by, cs_layout_sizes *sizes);
