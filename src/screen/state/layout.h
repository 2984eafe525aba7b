/* The layout of the screen: a strip of arms at the left (at the top of a narrow
 * screen), one large panel, and smaller panels under the strip and under the
 * large panel. Panels that do not fit are reached by their digit. */
#pragma once

#include "screen/state/slot.h"

enum { CS_LAYOUT_PANELS = 48 };

/* The smallest size of a panel's inside: smaller pictures cannot be read. */
enum { CS_LAYOUT_WIDTH = 30, CS_LAYOUT_HEIGHT = 8 };

/* The part of the screen to which a place belongs. */
typedef enum cs_layout_region {
    CS_REGION_MAIN, /* the large panel */
    CS_REGION_LEFT, /* panels under each other, below the strip */
    CS_REGION_FOOT  /* panels side by side, below the large panel */
} cs_layout_region;

/* The cells of a panel, including its line of title. */
typedef struct cs_layout_place {
    size_t panel; /* index of the panel in the list of slots */
    cs_layout_region region;
    int x, y, w, h;
} cs_layout_place;

typedef struct cs_layout {
    cs_layout_place place[CS_LAYOUT_PANELS]; /* the large panel first */
    size_t n;
    cs_layout_place strip; /* the strip of arms; h = 0: none */
} cs_layout;

/* Sizes set by dragging, in cells; 0: default. The width of the large panel
 * sets the column of the strip. Other sizes are relative to the sizes of places
 * in the same region. */
typedef struct cs_layout_sizes {
    double wide[CS_LAYOUT_PANELS], tall[CS_LAYOUT_PANELS];
} cs_layout_sizes;

/* The panels of the screen and the focused panel. */
typedef struct cs_slots {
    cs_slot of[CS_LAYOUT_PANELS];
    size_t n, focus, preset;
    bool lecture; /* layout for a projector: the lesson and two pictures */
    bool big;     /* the text of the lesson is in large letters */
    cs_layout_sizes sizes; /* for panels whose borders were moved */
    bool zoom;
    /* index + 1 of a panel that a key has zoomed (0: none), and whether it was
     * visible before */
    size_t alone;
    bool alone_on;
    size_t alone_from; /* panel that had the focus before */
} cs_slots;

/* The space for a layout, and its contents. */
typedef struct cs_layout_wish {
    const cs_slot *slot; /* [n] [borrowed] */
    size_t n, focus;
    const cs_layout_sizes *sizes; /* NULL: none */
    size_t arms;  /* number of lines of the strip; 0: no strip */
    bool compare; /* the focused panel compares arms: it is the large panel, and
                   * nothing is below it */
    /* the lesson is above at most two pictures, and there is no strip */
    bool lecture;
    bool list; /* the space below the strip is used for a list */
    /* panels of text are shown; if false, a panel of text is shown only with
     * the focus */
    bool text;
    /* name of the panel that is placed next to the large one; NULL: none */
    const char *next;
} cs_layout_wish;

/* Returns true if a screen of this size has space for several panels; a smaller
 * one shows the focused panel only. */
bool cs_layout_fits(int w, int h);

/* Returns true if a layout of w columns has the strip at the left. */
bool cs_layout_is_wide(int w);

/* Places the visible panels on w x h cells. The first visible panel that is not
 * text is the large one, and the other panels follow in their order. The panel
 * `focus` is always placed, even if it is not switched on. */
cs_layout cs_layout_make(const cs_layout_wish *wish, int w, int h);

/* Passed instead of a place: the strip. */
#define CS_LAYOUT_STRIP ((size_t)-1)

/* Moves the border to the right of place i or of the strip (with `down`, below
 * place i) by `by` cells, and updates `sizes`. The layout has a place. */
void cs_layout_move(const cs_layout *l, size_t i, bool down, int by,
                    cs_layout_sizes *sizes);
