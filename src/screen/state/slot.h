/* A panel on the screen, with the members that must be copied for undo,
 * layouts and copies of the view. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_slot {
    const cs_panel_type *type;
    bool on; /* visible */
    /* number of the chosen quantity, and of the chosen view */
    unsigned option, variant;
    size_t scroll;    /* number of lines above the first visible line */
    cs_glyphs glyphs; /* the finest characters that the panel may use */
    cs_window window;
    cs_panel_word shows; /* quantity and first arm, as words */
} cs_slot;
