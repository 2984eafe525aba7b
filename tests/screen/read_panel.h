/* Renders a panel of a run whose draws are known (support/fed.h), zoomed or
 * beside other panels, and reads its bars back from the cells. */
#pragma once

#include "support/fed.h"

#include "read_back.h"
#include "screen/state/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A place of a panel: zoomed, as the large panel, or below the large panel. */
typedef enum cs_form { FORM_ZOOMED, FORM_LARGE, FORM_SMALL, FORMS } cs_form;

static const int read_size[][2] = {{80, 24}, {120, 40}, {200, 60}};
enum { SIZES = sizeof read_size / sizeof *read_size };

static cs_canvas read_canvas;
static cs_ui read_ui;

/* Adds to a snapshot what a panel needs besides its reports. */
static inline void read_run(cs_flat *f, size_t chains)
{
    cs_flat_number(f, 1, "run/arms");
    cs_flat_number(f, 100, "run/steps");
    cs_flat_text(f, "paused", "run/state");
    cs_flat_text(f, "a", "arm/0/name");
    cs_flat_number(f, (double)chains, "arm/0/chains");
    cs_flat_text(f, "x.1 x.2", "coordinates");
}

/* Renders a frame of the snapshot on read_canvas. Returns the inside of the
 * panel without its title; w = 0: the panel does not fit in this place. */
static inline cs_area read_frame(const cs_flat *f, const char *panel,
                                 cs_form form, size_t size)
{
    char words[160];
    const int w = read_size[size][0], h = read_size[size][1];
    cs_canvas_fini(&read_canvas);
    assert_int_equal(cs_canvas_init(&read_canvas, w, h, CS_BRAILLE, NULL),
                     CS_OK);
    cs_ui_init(&read_ui);
    cs_screen_frame(&read_ui, f->base, f->used, &read_canvas);
    snprintf(words, sizeof words,
             form == FORM_SMALL ? "map %s trace" : "%s map", panel);
    cs_ui_panels(&read_ui, words);
    read_ui.legend = -1; /* hidden */
    read_ui.slots.zoom = form == FORM_ZOOMED;
    cs_canvas_clear(&read_canvas);
    cs_screen_frame(&read_ui, f->base, f->used, &read_canvas);
    for (size_t i = 0; i < read_ui.drawn.n_parts; i++)
        if (read_ui.drawn.part_of[i] == (form == FORM_SMALL)) {
            cs_area a = read_ui.drawn.part[i];
            a.canvas = &read_canvas;
            return cs_area_part(&a, 0, 1, a.w, a.h - 1);
        }
    return (cs_area){.canvas = &read_canvas};
}

static inline const cs_cell *read_cell(const cs_area *a, int x, int y)
{
    return read_canvas.cell + (a->y + y) * read_canvas.width + a->x + x;
}

/* Returns true if a line of the area has these ASCII words. */
static inline bool read_says(const cs_area *a, const char *words)
{
    char text[CS_CANVAS_MAX + 1];
    for (int y = 0; y < a->h; y++) {
        for (int x = 0; x < a->w; x++) {
            unsigned code = read_cell(a, x, y)->code;
            text[x] = code && code < 0x7F ? (char)code : '?';
        }
        text[a->w] = 0;
        if (strstr(text, words))
            return true;
    }
    return false;
}

/* Returns the height of the bar in column x, in lines. A line over the bar can
 * hide its end; the height is then known to a quarter of a line. */
static inline double read_height(const cs_area *a, int x, unsigned role)
{
    const double hidden_low = 0.25, hidden_high = 0.8;
    for (int y = 0; y < a->h; y++) {
        const cs_cell *k = read_cell(a, x, y);
        bool block = k->role == role && k->code > 0x2580 && k->code <= 0x2588;
        bool under = k->ground == role;
        if (!block && !under)
            continue;
        const cs_cell *above = y ? read_cell(a, x, y - 1) : NULL;
        bool line = above && (above->code & ~0xFFu) == 0x2800;
        double end = under                          ? hidden_high
                     : k->code < 0x2588             ? (k->code - 0x2580) / 8.0
                     : line && above->code > 0x2800 ? 1 + hidden_low
                                                    : 1;
        return a->h - 1 - y + end;
    }
    return 0;
}

/* Returns the height of the line in column x, in lines; 0: no line. */
static inline double read_line(const cs_area *a, int x)
{
    for (int y = 0; y < a->h; y++) {
        unsigned code = read_cell(a, x, y)->code;
        for (int row = 0; (code & ~0xFFu) == 0x2800 && row < 4; row++) {
            static const unsigned bits[] = {0x09, 0x12, 0x24, 0xC0};
            if (code & bits[row])
                return a->h - y - (row + 0.5) / 4;
        }
    }
    return 0;
}
