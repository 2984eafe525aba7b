/* Helpers for tests of the screen. The tests compare whole frames of the canned
 * snapshot with files. */
#ifndef TESTS_SCREEN_CANNED_FRAME_H
#define TESTS_SCREEN_CANNED_FRAME_H

#include "canned_table.h"
#include "frame.h"
#include "screen/state/ui.h"

static cs_ui ui;

static inline void draw(cs_canvas *c, int w, int h, cs_glyphs glyphs)
{
    assert_int_equal(cs_canvas_init(c, w, h, glyphs, NULL), CS_OK);
    cs_screen_frame(&ui, table.base, table.used, c);
}

/* Renders a frame without comparing it, so that the screen has read the
 * snapshot. */
static inline void follow(int w, int h)
{
    cs_canvas c;
    draw(&c, w, h, CS_BRAILLE);
    cs_canvas_fini(&c);
}

static inline void frame(int w, int h, cs_glyphs glyphs, const char *name)
{
    cs_canvas c;
    draw(&c, w, h, glyphs);
    compare_as(&c, CS_TEXT, CS_TIER_MONO, name);
    cs_canvas_fini(&c);
}

#endif
