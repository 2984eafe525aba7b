/* What a terminal would show of bytes that nobody vouches for: a grid of
 * characters and how they are written. Knows the cursor's moves, erasing, and
 * colours; all else is left out, so that nothing of it reaches the terminal
 * that shows the grid. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

/* Colours: -1 the terminal's own, up to 255 of its palette, CS_VT_TRUE and red,
 * green, blue. */
enum { CS_VT_TRUE = 1 << 24 };
typedef struct cs_vt_pen {
    int ink, ground;
    unsigned attributes; /* CS_BOLD ... */
} cs_vt_pen;

typedef struct cs_vt_cell {
    uint32_t code; /* Unicode; 0 = right half of the wide one before */
    cs_vt_pen pen;
} cs_vt_cell;

typedef struct cs_vt {
    int width, height;
    cs_vt_cell *cell; /* [height][width] [own] */
    int x, y;
    bool cursor; /* it is shown */
    cs_vt_pen pen;
    unsigned char held[64]; /* the beginning of what is not whole yet */
    size_t n_held;
    bool string; /* within an operating system command, say: it is skipped */
} cs_vt;

/* An empty one; sizes are cut to 1 .. CS_CANVAS_MAX. Also another size of one
 * that is there, which empties it; it begins as {0}. */
cs_status cs_vt_resize(cs_vt *v, int width, int height, cs_error *err);
void cs_vt_fini(cs_vt *v);

void cs_vt_write(cs_vt *v, const char *bytes, size_t n);

/* Writes what makes of a terminal of w columns and h lines that shows `before`
 * (NULL: anything) one that shows as much of `v` as it has room for; `plain`:
 * without colours. */
bool cs_vt_emit(const cs_vt *before, const cs_vt *v, int w, int h, bool plain,
                FILE *out);
/* As lines of text, without blanks at their end. */
bool cs_vt_text(const cs_vt *v, FILE *out);

/* `to` becomes the same as `from`. */
cs_status cs_vt_copy(cs_vt *to, const cs_vt *from, cs_error *err);
