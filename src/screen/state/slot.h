/* A panel on the screen, as undo, layouts and copies of the view copy it. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_slot {
    const cs_panel_type *type;
    bool on;                  /* visible */
    unsigned option, variant; /* chosen quantity and view */
    size_t scroll;            /* lines above the first visible one */
    cs_glyphs glyphs;         /* the finest characters that it may draw with */
    cs_window window;
    cs_panel_word shows; /* quantity and first arm, as words */
} cs_slot;
