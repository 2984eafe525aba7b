/* A panel as it is on the screen: what undo, layouts and copies of the view copy
 * whole. */
#pragma once

#include "screen/panels/panel.h"

typedef struct cs_slot {
    const cs_panel_type *type;
    bool on;                  /* it is shown */
    unsigned option, variant; /* the quantity and the view that are chosen */
    size_t scroll;            /* lines above the first one in view */
    cs_glyphs glyphs;         /* the finest that it may draw with */
    cs_window window;
    cs_panel_word shows; /* the quantity and the first arm, as words */
} cs_slot;
