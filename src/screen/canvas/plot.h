/* Curves, bars and heat maps inside an area. Dots are finer than cells: 2x4
 * in braille, 1x2 in half blocks, 1x1 in ASCII. */
#pragma once

#include "base/count.h"
#include "screen/canvas/canvas.h"

/* From one end of an axis to the other. */
typedef struct cs_scale {
    double low, high;
    bool log; /* logarithmic: both are above 0 */
} cs_scale;

typedef struct cs_plot {
    cs_area area;
    int columns, rows;     /* in dots */
    double x0, x1, y0, y1; /* y1 at the top */
    bool log_x, log_y;
    double whole0, whole1; /* the x axis, of which x0 to x1 may be a part */
    bool windowed;         /* the user chooses which */
    bool plane;            /* of the y axis too: */
    double whole_y0, whole_y1;
    bool linear;       /* its axes cannot be logarithmic */
    int part, part_up; /* which parts of the window are its x and y axes */
} cs_plot;

/* A plot over `area`; an empty or broken range is widened. */
cs_plot cs_plot_make(const cs_area *area, double x0, double x1, double y0,
                     double y1);
/* The same with axes that may be logarithmic; one that does not lie above 0 is
 * not. */
cs_plot cs_plot_scaled(const cs_area *area, cs_scale x, cs_scale y);

/* A part of an axis, in the units of that. */
typedef struct cs_stretch {
    bool on; /* false: all of it */
    double from, to;
} cs_stretch;

/* What a user wants to see of a plot: a part of its x axis, and which axes are to
 * be logarithmic. Of a plane part 0 is that of the x axis and part 1 that of the
 * y axis; of several planes each coordinate has its own. */
enum { CS_WINDOW_PARTS = 5 };
typedef struct cs_window {
    bool on; /* part 0 */
    double from, to;
    bool log_x, log_y;
    cs_stretch more[CS_WINDOW_PARTS - 1]; /* the others */
} cs_window;

cs_stretch cs_window_part(const cs_window *w, int k);
void cs_window_set_part(cs_window *w, int k, cs_stretch part);
/* What part k shows of an axis from low to high; a logarithmic one from 0 begins
 * at a thousandth. */
cs_scale cs_window_shows(const cs_window *w, int k, cs_scale whole);

/* The values of a plot as the window has them. */
cs_scale cs_window_y(const cs_window *w, double low, double high);
/* Makes a plot of what the window shows of the axis from x0 to x1: all of it
 * where they do not meet. A logarithmic axis from 0 begins at a thousandth. */
cs_plot cs_window_plot(const cs_area *area, const cs_window *w, double x0,
                       double x1, cs_scale y);
/* Makes a plot of a plane, whose axes are parts `part` and `part_up` of the
 * window. x.log, y.log: this axis may be logarithmic; it is where the user wants
 * it and it does not begin below 0. */
cs_plot cs_window_plane(const cs_area *area, const cs_window *w, cs_scale x,
                        cs_scale y, int part, int part_up);
/* Whether the plot shows a part of its x axis. */
bool cs_plot_is_part(const cs_plot *p);
/* A vertical stroke of a value range at a column of dots; `mark` is used
 * where there is one dot a cell. */
void cs_plot_stroke(const cs_plot *p, int column, double low, double high,
                    cs_role role, char mark);
/* A point in the units of the axes; NAN is skipped. */
void cs_plot_point(const cs_plot *p, double x, double y, cs_role role,
                   char mark);
/* The row of cells at which y stands, -1 when outside. */
int cs_plot_row(const cs_plot *p, double y);
int cs_plot_column(const cs_plot *p, double x);
/* How far below the top y stands, as a share of the height. */
double cs_plot_fall(const cs_plot *p, double y);
/* The x at a share 0 .. 1 of the width. */
double cs_plot_at(const cs_plot *p, double share);
/* Round numbers between two values: first, first + step ... n of them. */
typedef struct cs_ticks {
    double first, step;
    int n;
} cs_ticks;
cs_ticks cs_ticks_make(double low, double high, int most);
/* Ticks of y left of the plot: returns the area that is left for it. */
cs_area cs_plot_axis(const cs_area *a, double y0, double y1);
cs_area cs_plot_axis_scaled(const cs_area *a, cs_scale y);
/* Ticks of x under the plot, in the first line of `a`; its name at the end: of
 * "a = b (c)" where there is little room "a (c)". Axes of "step" take clicks. */
void cs_plot_axis_x(const cs_area *a, const cs_plot *p, const char *name);

/* Notes the axis for keys and mouse, in that line of the canvas: what
 * cs_plot_axis_x does besides. */
void cs_plot_note(const cs_plot *p, int line, const char *name);

/* The colours of a heat map, up to the level `most`, between its two ends, in
 * the line y of an area from x to its right edge: "density 0 ##### 0.16", in
 * what room there is. Returns where it begins, the width where it does not
 * fit. */
int cs_plot_scale(const cs_area *a, int x, int y, const char *low,
                  const char *high, double most);

/* A curve y[n] over x[n] (x NULL: 0..n-1), envelope per column. */
void cs_plot_curve(const cs_plot *p, const double *x, const double *y, size_t n,
                   cs_role role, char mark);

/* The interval of the value at the end of a lying bar, in the first line of `a`,
 * the value a cross on it, in column `end`: over the bar on its colour, so that
 * the bar stays as long as it is. */
void cs_plot_interval(const cs_area *a, const cs_plot *p, double low,
                      double high, int end, cs_role role);
/* Bars from the bottom, one per column of cells, value[i] / top of height. */
void cs_bars(const cs_area *a, const double *value, size_t n, double top,
             cs_role role);
/* A line in steps over bars, which stay whole: value[a->w] / top of height, one
 * a column of cells. There is none where a value is too small to lift it off the
 * axis. */
void cs_steps_over(const cs_area *a, const double *value, double top,
                   cs_role role);
/* A dotted line over bars: value[n] / top of height, a dot a column of cells; NAN
 * has none. */
void cs_dots_over(const cs_area *a, const double *value, size_t n, double top,
                  cs_role role);
/* out[columns] = what columns of the plot share with bins of equal width, whose
 * borders are edge[n + 1]. */
void cs_rebin(const double *mass, const double *edge, size_t n,
              const cs_plot *p, size_t columns, double *out);
/* One line of bars, lowest to highest of the values. */
void cs_sparkline(const cs_area *a, int x, int y, int width,
                  const double *value, size_t n, cs_role role);

/* The smallest and largest finite numbers of value[n]; false if none. */
bool cs_range(const double *value, size_t n, double *low, double *high);
