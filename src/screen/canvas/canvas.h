/* A screen in memory: a grid of cells, each a character, what it means (a
 * role) and attributes. Panels draw into areas of it; it becomes a terminal's
 * screen, text, ANSI or SVG elsewhere. */
#pragma once

#include "base/status.h"
#include "screen/canvas/theme.h"

#include <stddef.h>
#include <stdint.h>

/* Which characters may be used. */
typedef enum cs_glyphs { CS_ASCII, CS_BLOCK, CS_BRAILLE } cs_glyphs;

typedef struct cs_cell {
    uint32_t code; /* Unicode; 0 = right half of the wide one before */
    uint8_t role, attributes;
    uint8_t ground; /* a role, CS_ROLE_NORMAL: the terminal's own */
} cs_cell;

/* An axis: what stands at the columns of a plot, or at its lines. */
typedef struct cs_axis_ends {
    double from, to; /* of the first and the last column; of the lowest line and
                        the highest */
    bool log;
    double whole_from, whole_to; /* it shows a part of these */
    int part; /* of a window (screen/canvas/plot.h), which one */
} cs_axis_ends;

/* A horizontal axis: what stands at its columns; of a plane also an upright
 * one. */
typedef struct cs_x_axis {
    int x, y, w, top; /* top: the first line of what stands on it */
    double from, to;  /* of the first and the last column */
    bool log, log_values;
    bool windowed;               /* the user chooses what it shows */
    bool steps;                  /* it is of steps of the run */
    double whole_from, whole_to; /* it shows a part of these */
    int part, h;                 /* h: lines above it */
    bool plane, linear;          /* linear: neither axis can be logarithmic */
    cs_axis_ends up;             /* of a plane */
} cs_x_axis;

/* What stands at a share 0 .. 1 of its width. */
double cs_axis_value(const cs_x_axis *axis, double share);

/* A picture of the plane of two coordinates, of the chains of an arm. */
typedef struct cs_plane {
    int x, y, w, h;
    double left, right, bottom, top; /* of its edges */
    bool log_x, log_y;
    size_t axis[2], arm;
} cs_plane;

enum { CS_X_AXES = 64, CS_PLANES = 16 };

typedef struct cs_canvas {
    cs_x_axis axis[CS_X_AXES]; /* that were drawn, for the mouse */
    size_t n_axes;
    cs_plane plane[CS_PLANES]; /* likewise */
    size_t n_planes;
    int width, height;
    cs_glyphs glyphs;
    const cs_theme *theme; /* [borrowed] the colours of its roles */
    cs_cell *cell;         /* [height][width] [own] */
    size_t capacity;
    int cursor_x, cursor_y; /* where a prompt is, -1 = nowhere */
} cs_canvas;

enum { CS_CANVAS_MAX = 1000 };

/* Whether two cells differ in their character only. */
static inline bool cs_cells_alike(const cs_cell *a, const cs_cell *b)
{
    return a->role == b->role && a->attributes == b->attributes &&
           a->ground == b->ground;
}

/* An empty canvas; sizes are cut to 1 .. CS_CANVAS_MAX. */
cs_status cs_canvas_init(cs_canvas *c, int width, int height, cs_glyphs glyphs,
                         cs_error *err);
/* Another size; the contents are blank. On failure the old one remains. */
cs_status cs_canvas_resize(cs_canvas *c, int width, int height, cs_error *err);
/* `to` becomes the same as `from`; on failure it is blank, or as it was. */
cs_status cs_canvas_copy(cs_canvas *to, const cs_canvas *from, cs_error *err);
void cs_canvas_fini(cs_canvas *c);
void cs_canvas_clear(cs_canvas *c);

/* Notes an axis for keys and mouse; one more than there is room for is left out. */
void cs_canvas_note_axis(cs_canvas *c, cs_x_axis axis);

/* The same of a picture of a plane. */
void cs_canvas_note_plane(cs_canvas *c, cs_plane plane);

/* A rectangle of a canvas; drawing is clipped to it. x, y count from it. */
typedef struct cs_area {
    cs_canvas *canvas; /* [borrowed] */
    int x, y, w, h;
} cs_area;

cs_area cs_canvas_area(cs_canvas *c);
/* Clears all but the parts for which `stays` is true, with their notes. */
void cs_canvas_clear_but(cs_canvas *c, const cs_area *part, const bool *stays,
                         size_t n);
/* A part of an area, clipped to it. */
cs_area cs_area_part(const cs_area *a, int x, int y, int w, int h);

/* The columns of a text after cleaning. */
int cs_text_width(const char *text);

/* One character. Falls back to ASCII where the canvas asks for it. */
void cs_put(const cs_area *a, int x, int y, cs_role role, unsigned code);
/* Two pixels, one above the other, of the same scale of roles; CS_ROLE_NORMAL
 * below: there is none. */
void cs_put_two(const cs_area *a, int x, int y, cs_role upper, cs_role lower);
/* What is there already stands on the colour of `ground`. */
void cs_ground(const cs_area *a, int x, int y, cs_role ground);
void cs_attribute(const cs_area *a, int x, int y, int n, unsigned attributes);

/* A formatted text, cleaned (base/text.h); returns the x after it. */
int cs_print(const cs_area *a, int x, int y, cs_role role, const char *format,
             ...) __attribute__((format(printf, 5, 6)));
/* The same in at most w columns; what does not fit ends in an ellipsis, behind
 * a whole word where it can. */
int cs_print_cut(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same in at most w columns, whole or not at all: then it returns x. */
int cs_print_fit(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same, ending at the right edge; returns where it starts. */
int cs_print_right(const cs_area *a, int y, cs_role role, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* How many bytes of a clean text make one line of `columns`, broken at a
 * blank where it can be. */
size_t cs_text_line(const char *text, int columns);
/* A text in lines, broken at blanks too; returns the lines used. */
int cs_print_wrapped(const cs_area *a, int x, int y, cs_role role,
                     const char *text);

void cs_fill(const cs_area *a, cs_role role, unsigned code);
/* A frame with a title, and at its right end the first of `right`, forms a line
 * each, for which there is room; returns the area inside. */
cs_area cs_box(const cs_area *a, cs_role role, const char *title,
               const char *right);
