/* An emulated terminal for untrusted bytes. It computes the grid of characters,
 * with their colours and attributes, that a terminal would show. It interprets
 * cursor movement, erasing and colours, and ignores all other sequences, so
 * that no other sequence reaches the real terminal. */
#pragma once

#include "screen/canvas/canvas.h"

#include <stdio.h>

/* Colours: -1 for the terminal's default, 0 .. 255 for its palette, or
 * CS_VT_TRUE plus red, green and blue. */
enum { CS_VT_TRUE = 1 << 24 };
typedef struct cs_vt_pen {
    int ink, ground;
    unsigned attributes; /* bits: CS_BOLD and so on */
} cs_vt_pen;

typedef struct cs_vt_cell {
    uint32_t code; /* Unicode; 0: right half of the preceding wide character */
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
    /* inside a string such as an operating system command, which is skipped */
    bool string;
} cs_vt;

/* Makes an empty terminal, or resizes and clears an existing one; sizes are
 * limited to 1 .. CS_CANVAS_MAX. Initialise `v` to {0} before the first
 * call. */
cs_status cs_vt_resize(cs_vt *v, int width, int height, cs_error *err);
void cs_vt_fini(cs_vt *v);

void cs_vt_write(cs_vt *v, const char *bytes, size_t n);

/* Writes the sequences that change the screen of a terminal of w columns and h
 * lines from `before` (NULL: any contents) to `v`. The result is cut to this
 * size. `plain`: without colours. */
bool cs_vt_emit(const cs_vt *before, const cs_vt *v, int w, int h, bool plain,
                FILE *out);
/* Writes the lines as text without trailing blanks. */
bool cs_vt_text(const cs_vt *v, FILE *out);

/* Makes `to` a copy of `from`. */
cs_status cs_vt_copy(cs_vt *to, const cs_vt *from, cs_error *err);
