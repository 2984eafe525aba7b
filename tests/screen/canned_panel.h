/* Helpers that render one panel of the canned snapshot on its own canvas, and
 * read its text. */
#ifndef TESTS_SCREEN_CANNED_PANEL_H
#define TESTS_SCREEN_CANNED_PANEL_H

#include "canned_table.h"
#include "screen/canvas/legend.h"
#include "screen/panels/panel.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static inline void draw_panel(cs_canvas *c, const char *name, int w, int h,
                              const cs_selection *at)
{
    const cs_shot s = {.base = table.base, .used = table.used};
    assert_int_equal(cs_canvas_init(c, w, h, CS_BRAILLE, NULL), CS_OK);
    cs_area a = cs_canvas_area(c);
    cs_panel_draw(cs_panel_find(name), &a, &s, at);
}

/* Copies row y of the canvas to text, with '?' for each character that is not
 * ASCII. */
static inline void line_of(const cs_canvas *c, int y,
                           char text[CS_CANVAS_MAX + 1])
{
    for (int x = 0; x < c->width; x++) {
        unsigned code = c->cell[y * c->width + x].code;
        text[x] = code < 0x7F && code ? (char)code : '?';
    }
    text[c->width] = 0;
}

static inline bool says(const cs_canvas *c, const char *words)
{
    char text[CS_CANVAS_MAX + 1];
    for (int y = 0; y < c->height; y++) {
        line_of(c, y, text);
        if (strstr(text, words))
            return true;
    }
    return false;
}

/* Returns true if the legend of a panel on the whole canvas has this text. */
static inline bool explains(cs_canvas *c, const char *panel, const char *text)
{
    cs_legend legend;
    cs_area a = cs_canvas_area(c);
    cs_legend_find(&a, panel, 0, &legend);
    for (size_t i = 0; i < legend.n; i++)
        if (strcmp(legend.sign[i].text, text) == 0)
            return true;
    return false;
}

/* Copies to out[n] the arm's value in the column with this heading. The arm is
 * in the second row of the table. */
static inline void under(const cs_canvas *c, const char *heading, char *out,
                         size_t n)
{
    char head[CS_CANVAS_MAX + 1], row[CS_CANVAS_MAX + 1];
    line_of(c, 0, head);
    line_of(c, 1, row);
    const char *at = strstr(head, heading);
    assert_non_null(at);
    size_t length = strcspn(row + (at - head), " ");
    snprintf(out, n, "%.*s", (int)length, row + (at - head));
}

#endif
