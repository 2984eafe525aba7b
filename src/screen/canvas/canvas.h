/* A screen in memory: a grid of cells, each with a character, its meaning (a
 * role) and attributes. Panels draw into areas of a canvas. Other files convert
 * a canvas to a terminal's screen, text, ANSI or SVG. */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "screen/canvas/theme.h"

#include <stddef.h>
#include <stdint.h>

/* The characters that may be used. */
typedef enum cs_glyphs { CS_ASCII, CS_BLOCK, CS_BRAILLE } cs_glyphs;

typedef struct cs_cell {
    uint32_t code; /* Unicode; 0: right half of the preceding wide character */
    uint8_t role, attributes;
    uint8_t ground; /* a role; CS_ROLE_NORMAL: the terminal's background */
    /* 1: a terminal with graphics shows pixels instead of the character
     * (raster.h) */
    uint8_t pixels;
} cs_cell;

/* An axis: the values along the columns or the lines of a plot. */
typedef struct cs_axis_ends {
    double from, to; /* values of the first and last column, or of the lowest
                      * and highest line */
    bool log;
    /* ends of the whole axis; from .. to may be only a part of it */
    double whole_from, whole_to;
    /* number of the part of a window (screen/canvas/plot.h) that sets the
     * range of this axis */
    int part;
} cs_axis_ends;

/* A horizontal axis. In a plane, it also describes the vertical axis. */
typedef struct cs_x_axis {
    int x, y, w, top; /* top: first line of the plot above the axis */
    double from, to;  /* values of the first and the last column */
    bool log, log_values;
    bool windowed;               /* the user chooses the range */
    bool steps;                  /* the axis counts steps of the run */
    double whole_from, whole_to; /* ends of the whole axis */
    int part, h;                 /* h: number of lines above the axis */
    bool plane, linear;          /* linear: neither axis can be logarithmic */
    cs_axis_ends up;             /* vertical axis of a plane */
} cs_x_axis;

/* Returns the value at a share 0 .. 1 of the axis's width. */
double cs_axis_value(const cs_x_axis *axis, double share);

/* A picture of the plane spanned by two coordinates of an arm's states. */
typedef struct cs_plane {
    int x, y, w, h;
    double left, right, bottom, top; /* values at the edges of the picture */
    bool log_x, log_y;
    size_t axis[2], arm;
} cs_plane;

/* A rectangle of cells that a terminal with graphics shows in pixels. */
typedef struct cs_pixel_picture {
    int x, y, w, h; /* in cells */
    bool waits;     /* the displayed picture is kept in this frame */
} cs_pixel_picture;

enum { CS_X_AXES = 64, CS_PLANES = 16, CS_PICTURES = 64 };

/* The pixels of a canvas (raster.h). */
typedef struct cs_pixel_grid {
    int wide, high; /* size of a cell in pixels; 0: only characters */
    /* roles of pixels, [height * high][width * wide]; CS_ROLE_NORMAL:
     * transparent [own] */
    uint8_t *role;
    size_t capacity;
    cs_pixel_picture picture[CS_PICTURES];
    size_t n;
} cs_pixel_grid;

typedef struct cs_canvas {
    cs_x_axis axis[CS_X_AXES]; /* axes drawn, for the mouse */
    size_t n_axes;
    cs_plane plane[CS_PLANES]; /* planes drawn, for the mouse */
    size_t n_planes;
    int width, height;
    cs_glyphs glyphs;
    const cs_theme *theme; /* colours of roles [borrowed] */
    cs_cell *cell;         /* [height][width] [own] */
    size_t capacity;
    int cursor_x, cursor_y; /* position of a prompt; -1: none */
    cs_pixel_grid pixels;
} cs_canvas;

enum { CS_CANVAS_MAX = 1000 };

/* Returns true if two cells differ at most in their character. */
static inline bool cs_cells_alike(const cs_cell *a, const cs_cell *b)
{
    return a->role == b->role && a->attributes == b->attributes &&
           a->ground == b->ground;
}

/* Makes an empty canvas; sizes are limited to 1 .. CS_CANVAS_MAX. */
cs_status cs_canvas_init(cs_canvas *c, int width, int height, cs_glyphs glyphs,
                         cs_error *err);
/* Changes the size and clears the contents. If this fails, the canvas is
 * unchanged. */
cs_status cs_canvas_resize(cs_canvas *c, int width, int height, cs_error *err);
/* Makes `to` a copy of `from`. If this fails, `to` is blank or unchanged. */
cs_status cs_canvas_copy(cs_canvas *to, const cs_canvas *from, cs_error *err);
void cs_canvas_fini(cs_canvas *c);
void cs_canvas_clear(cs_canvas *c);

/* Records an axis for keys and mouse. If the list of axes is full, does
 * nothing. */
void cs_canvas_note_axis(cs_canvas *c, cs_x_axis axis);

/* Records the plane of a picture for keys and mouse. If the list of planes is
 * full, does nothing. */
void cs_canvas_note_plane(cs_canvas *c, cs_plane plane);

/* A rectangle of a canvas. Drawing is clipped to the rectangle, and x and y are
 * relative to it. */
typedef struct cs_area {
    cs_canvas *canvas; /* [borrowed] */
    int x, y, w, h;
} cs_area;

cs_area cs_canvas_area(cs_canvas *c);
/* Clears the canvas and removes the recorded axes and planes, except in the
 * parts for which `stays` is true. */
void cs_canvas_clear_but(cs_canvas *c, const cs_area *part, const bool *stays,
                         size_t n);
/* Returns a part of an area, clipped to it. */
cs_area cs_area_part(const cs_area *a, int x, int y, int w, int h);

/* Puts one character; uses an ASCII substitute if the canvas requires it. */
void cs_put(const cs_area *a, int x, int y, cs_role role, unsigned code);
/* Puts two pixels, one above the other, with roles of the same scale. If
 * `lower` is CS_ROLE_NORMAL, the lower half is empty. */
void cs_put_two(const cs_area *a, int x, int y, cs_role upper, cs_role lower);
/* Gives the character in a cell the background colour of `ground`. */
void cs_ground(const cs_area *a, int x, int y, cs_role ground);
void cs_attribute(const cs_area *a, int x, int y, int n, unsigned attributes);

/* Prints formatted text after cleaning it (base/text.h). Returns the column
 * after the text. */
int cs_print(const cs_area *a, int x, int y, cs_role role, const char *format,
             ...) __attribute__((format(printf, 5, 6)));
/* Prints at most w columns; longer text ends in an ellipsis, after a whole word
 * if possible. */
int cs_print_cut(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Prints only if the text fits in w columns; otherwise returns x. */
int cs_print_fit(const cs_area *a, int x, int y, int w, cs_role role,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Prints right-aligned text. Returns the column where the text starts. */
int cs_print_right(const cs_area *a, int y, cs_role role, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* Returns how many bytes of a clean text fit on a line of `columns`, broken at
 * a blank if possible. */
size_t cs_text_line(const char *text, int columns);
/* Prints a text on several lines, broken at blanks where possible. Returns the
 * number of lines used. */
int cs_print_wrapped(const cs_area *a, int x, int y, cs_role role,
                     const char *text);

void cs_fill(const cs_area *a, cs_role role, unsigned code);
/* Draws a line with a title at its left. At its right, draws the first form of
 * `right` that fits (alternative forms, one per line). Writes the first column
 * of this form to *end; if no form fits, writes the width. Returns the area
 * below the line. */
cs_area cs_heading(const cs_area *a, cs_role role, const char *title,
                   const char *right, int *end);
/* Draws a frame with a title. At the right end of the title line, draws the
 * first form of `right` that fits (alternative forms, one per line). Returns
 * the area inside. */
cs_area cs_box(const cs_area *a, cs_role role, const char *title,
               const char *right);
