/* Where panels stand: rows of panels, sizes from weights with minima. What
 * does not fit becomes a tab. */
#ifndef CS_SCREEN_LAYOUT_H
#define CS_SCREEN_LAYOUT_H

#include "screen/panel.h"

enum { CS_LAYOUT_PANELS = 24 };

typedef struct cs_layout_place {
    size_t panel; /* index in the list that was given */
    int x, y, w, h;
} cs_layout_place;

typedef struct cs_layout {
    cs_layout_place place[CS_LAYOUT_PANELS];
    size_t n;
    bool hidden; /* some panels found no room */
} cs_layout;

/* Places `type[n]`, those of `on` (NULL: all), on w x h cells, frames
 * included. `focus` always finds room. */
cs_layout cs_layout_make(const cs_panel_type *const *type, const bool *on,
                         size_t n, size_t focus, int w, int h);

#endif
