/* An emulated terminal for untrusted bytes: the grid of characters, and their
 * looks, that a terminal would show. It interprets cursor movement, erasing and
 * colours; everything else is ignored, so that nothing else reaches the
 * terminal that displays the grid. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

/* Colours: -1 the terminal's own, 0 .. 255 its palette, or CS_VT_TRUE plus red,
 * green and blue. */
enum { CS_VT_TRUE = 1 << 24 };
typedef struct cs_vt_pen {
    int ink, ground;
    unsigned attributes; /* CS_BOLD ... */
} cs_vt_pen;

typedef struct cs_vt_cell {
    uint32_t code; /* Unicode; 0: right half of the wide character before it */
    cs_vt_pen pen;
} cs_vt_cell;

typedef struct cs_vt {
    int width, height;
    cs_vt_cell *cell; /* [height][width] [own] */
    int x, y;
    bool cursor; /* the cursor is visible */
    cs_vt_pen pen;
    unsigned char held[64]; /* start of an incomplete sequence */
    size_t n_held;
    bool string; /* inside an operating system command or similar, which is
                  * skipped */
} cs_vt;

/* Makes an empty terminal, or resizes and empties an existing one; sizes are
 * limited to 1 .. CS_CANVAS_MAX. It starts as {0}. */
cs_status cs_vt_resize(cs_vt *v, int width, int height, cs_error *err);
void cs_vt_fini(cs_vt *v);

void cs_vt_write(cs_vt *v, const char *bytes, size_t n);

/* Writes the sequences that turn a terminal of w columns and h lines showing
 * `before` (NULL: anything) into one showing as much of `v` as fits; `plain`:
 * without colours. */
bool cs_vt_emit(const cs_vt *before, const cs_vt *v, int w, int h, bool plain,
                FILE *out);
/* Writes lines of text without trailing blanks. */
bool cs_vt_text(const cs_vt *v, FILE *out);

/* Makes `to` a copy of `from`. */
cs_status cs_vt_copy(cs_vt *to, const cs_vt *from, cs_error *err);
