/* Curves, bars and heat maps inside an area. Dots are finer than cells: 2x4
 * in braille, 1x2 in half blocks, 1x1 in ASCII. */
#ifndef CS_SCREEN_PLOT_H
#define CS_SCREEN_PLOT_H

#include "screen/canvas.h"

typedef struct cs_plot {
    cs_area area;
    int columns, rows;     /* in dots */
    double x0, x1, y0, y1; /* y1 at the top */
} cs_plot;

/* A plot over `area`; an empty or broken range is widened. */
cs_plot cs_plot_make(const cs_area *area, double x0, double x1, double y0,
                     double y1);
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
/* Round numbers between two values: first, first + step ... n of them. */
typedef struct cs_ticks {
    double first, step;
    int n;
} cs_ticks;
cs_ticks cs_ticks_make(double low, double high, int most);
/* A number as a text. */
typedef struct cs_number {
    char text[24];
} cs_number;

/* Ticks of y left of the plot: returns the area that is left for it. */
cs_area cs_plot_axis(const cs_area *a, double y0, double y1);
/* Ticks of x under the plot, in the first line of `a`; the unit at its end. */
void cs_plot_axis_x(const cs_area *a, const cs_plot *p, const char *unit);

/* The colours of a heat map, up to the level `most`, between its two ends, in
 * the line y of an area from x to its right edge: "density 0 ##### 0.16", in
 * what room there is. Returns where it begins, the width where it does not
 * fit. */
int cs_plot_scale(const cs_area *a, int x, int y, const char *low,
                  const char *high, double most);

/* A curve y[n] over x[n] (x NULL: 0..n-1), envelope per column. */
void cs_plot_curve(const cs_plot *p, const double *x, const double *y, size_t n,
                   cs_role role, char mark);

/* Bars from the bottom, one per column of cells, value[i] / top of height. */
void cs_bars(const cs_area *a, const double *value, size_t n, double top,
             cs_role role);
/* A line in steps over bars, which stay whole: value[a->w] / top of height, one
 * a column of cells. There is none where a value is too small to lift it off the
 * axis. */
void cs_steps_over(const cs_area *a, const double *value, double top,
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
/* A short text of a number: "1.24M", "-412.8", "3.1e-04". */
const char *cs_short(double v, char *text, size_t size);
cs_number cs_num(double v);
/* 1240512 as "1,240,512". */
cs_number cs_count(double v);

#endif
