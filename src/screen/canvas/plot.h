/* Curves and heat maps inside an area. Dots are finer than cells: 2x4 per
 * cell in braille, 1x2 in half blocks, 1x1 in ASCII. */
#pragma once

#include "base/count.h"
#include "screen/canvas/raster.h"

#include <math.h>

/* The ends of an axis. */
typedef struct cs_scale {
    double low, high;
    bool log; /* logarithmic: both ends are above 0 */
} cs_scale;

typedef struct cs_plot {
    cs_area area;
    int columns, rows;     /* in dots */
    double x0, x1, y0, y1; /* y1 is at the top */
    bool log_x, log_y;
    double whole0, whole1; /* ends of the whole x axis */
    bool windowed;         /* the user chooses the part from x0 to x1 */
    bool plane;            /* a plane: the y axis has a window too */
    double whole_y0, whole_y1;
    bool linear;       /* the axes cannot be logarithmic */
    bool dashed;       /* curves are drawn as dashes */
    int part, part_up; /* parts of the window that control the x and y axes */
    enum {
        CS_PLOT_BOTH,  /* draws characters, and pixels on a terminal with
                        * graphics */
        CS_PLOT_CELLS, /* draws only characters */
        CS_PLOT_PIXELS /* draws only pixels: a dot is a pixel */
    } pass;
    cs_raster raster; /* used by CS_PLOT_PIXELS */
    bool hides;       /* used by CS_PLOT_CELLS: pixels replace the dots */
} cs_plot;

/* Makes a plot over `area`; an empty or invalid range is widened. */
cs_plot cs_plot_make(const cs_area *area, double x0, double x1, double y0,
                     double y1);
/* Makes a plot with axes that may be logarithmic; an axis with values at or
 * below 0 is made linear. */
cs_plot cs_plot_scaled(const cs_area *area, cs_scale x, cs_scale y);

/* Makes a plot that draws only characters (k = 0) or only pixels (k = 1), whose
 * dots are pixels. With both, in this order, a curve has one value per dot of
 * either. Returns false if there are no pixels. */
bool cs_plot_pass(const cs_plot *p, int k, cs_plot *out);

/* A part of an axis, in the units of the axis. */
typedef struct cs_stretch {
    bool on; /* false: the whole axis */
    double from, to;
} cs_stretch;

/* The user's choice for a plot: the visible part of its x axis, and which axes
 * are logarithmic. In a plane, part 0 is for the x axis and part 1 for the y
 * axis; with several planes each coordinate has its own part. */
enum { CS_WINDOW_PARTS = 5 };
typedef struct cs_window {
    bool on; /* members of part 0, as in cs_stretch */
    double from, to;
    bool log_x, log_y;
    cs_stretch more[CS_WINDOW_PARTS - 1]; /* parts 1 and higher */
} cs_window;

cs_stretch cs_window_part(const cs_window *w, int k);
void cs_window_set_part(cs_window *w, int k, cs_stretch part);
/* Returns the visible range of the axis that part k of the window controls.
 * A logarithmic axis from 0 starts at a thousandth of its end. */
cs_scale cs_window_shows(const cs_window *w, int k, cs_scale whole);

/* Returns the scale of a plot's values, which is logarithmic if the user has
 * chosen this in the window and `low` is positive. */
cs_scale cs_window_y(const cs_window *w, double low, double high);
/* Makes a plot of the part of the axis that the window selects. The whole axis
 * is x0 to x1. If the selected part does not overlap the whole axis, the plot
 * shows the whole axis. A logarithmic axis from 0 starts at a thousandth of its
 * end. */
cs_plot cs_window_plot(const cs_area *area, const cs_window *w, double x0,
                       double x1, cs_scale y);
/* Makes a plot of a plane. Parts `part` and `part_up` of the window control its
 * x axis and its y axis. An axis is logarithmic if three conditions hold: the
 * user has chosen this, x.log or y.log allows it, and the axis does not start
 * below 0. */
cs_plot cs_window_plane(const cs_area *area, const cs_window *w, cs_scale x,
                        cs_scale y, int part, int part_up);
/* Returns true if the plot shows only a part of its x axis. */
bool cs_plot_is_part(const cs_plot *p);
/* Draws a vertical stroke over a range of values in a column of dots; `mark` is
 * used where a cell has only one dot. */
void cs_plot_stroke(const cs_plot *p, int column, double low, double high,
                    cs_role role, char mark);
/* Draws a point in the units of the axes; skips NAN. */
void cs_plot_point(const cs_plot *p, double x, double y, cs_role role,
                   char mark);
/* Returns the row of cells that contains y. If y is outside the plot, returns
 * -1. */
int cs_plot_row(const cs_plot *p, double y);
int cs_plot_column(const cs_plot *p, double x);
/* Returns the distance of y from the top as a share of the height. */
double cs_plot_fall(const cs_plot *p, double y);
/* Returns the x at a share 0 .. 1 of the width. */
double cs_plot_at(const cs_plot *p, double share);
/* Round numbers between two values: first, first + step, ... (n numbers). */
typedef struct cs_ticks {
    double first, step;
    int n;
} cs_ticks;
cs_ticks cs_ticks_make(double low, double high, int most);
/* Draws the ticks of y at the left. Returns the remaining area for the plot. */
cs_area cs_plot_axis(const cs_area *a, double y0, double y1);
cs_area cs_plot_axis_scaled(const cs_area *a, cs_scale y);
/* Draws the ticks of x under the plot, in the first line of `a`, and the axis's
 * name at the end. In a narrow area, "a = b (c)" is shortened to "a (c)". Axes
 * named "step" accept clicks. */
void cs_plot_axis_x(const cs_area *a, const cs_plot *p, const char *name);

/* Records the axis on a line of the canvas for keys and mouse, as
 * cs_plot_axis_x does. */
void cs_plot_note(const cs_plot *p, int line, const char *name);

/* Draws the colours of a heat map up to the level `most`, in line y from x to
 * the right edge. The labels of the two ends are on either side: "density 0
 * ##### 0.16", shortened if needed. Returns the column where the text starts.
 * If it does not fit, returns the width. */
int cs_plot_scale(const cs_area *a, int x, int y, const char *low,
                  const char *high, double most);

/* Draws a curve y[n] over x[n] (x NULL: 0 .. n-1) as an envelope per column. */
void cs_plot_curve(const cs_plot *p, const double *x, const double *y, size_t n,
                   cs_role role, char mark);

/* Draws the interval around the value of a horizontal bar, in the first line
 * of `a`, and a cross at the value, in column `end`. Over the bar, the
 * interval has the bar's colour as background, so that the length of the bar
 * remains visible. */
void cs_plot_interval(const cs_area *a, const cs_plot *p, double low,
                      double high, int end, cs_role role);

/* Draws a horizontal line across the plot, one character every `apart` columns.
 * If y is NAN or outside the plot, draws nothing. */
void cs_plot_level(const cs_plot *p, double y, cs_role role, unsigned code,
                   int apart);

/* Extends low .. high to contain v; ignores NAN. */
static inline void cs_widen(double *low, double *high, double v)
{
    *low = fmin(*low, v);
    *high = fmax(*high, v);
}

/* Finds the smallest and largest finite numbers of value[n]. Returns false if
 * there are no finite numbers. */
bool cs_range(const double *value, size_t n, double *low, double *high);
