/* Bars, and lines over bars: histograms and sparklines. */
#pragma once

#include "screen/canvas/plot.h"

/* Draws bars from the bottom, one per column of cells. The bar in column i
 * shows value[i]; the value `top` gives a bar as high as the area. */
void cs_bars(const cs_area *a, const double *value, size_t n, double top,
             cs_role role);
/* Draws a step line over bars without hiding them. The line in column i of the
 * cells shows value[i]; the value `top` is at the upper edge of the area.
 * `value` has one entry per column. Values too small to rise above the axis
 * have no line. */
void cs_steps_over(const cs_area *a, const double *value, double top,
                   cs_role role);
/* Draws a dotted line over bars. The dot in column i of the cells shows
 * value[i]; the value `top` is at the upper edge of the area. Skips NAN. */
void cs_dots_over(const cs_area *a, const double *value, size_t n, double top,
                  cs_role role);
/* Finds the mass in each of the equal columns of the plot, out[columns], from
 * the mass of n bins with borders edge[n + 1]. */
void cs_rebin(const double *mass, const double *edge, size_t n,
              const cs_plot *p, size_t columns, double *out);
/* Bins: mass[n] (NULL: empty) with borders edge[n + 1]. */
typedef struct cs_plot_bins {
    const double *mass, *edge;
    size_t n;
} cs_plot_bins;
/* Returns the largest mass in a column of the plot. */
double cs_bins_top(const cs_plot *p, cs_plot_bins bins);
/* Returns the end of a scale that n pictures with the largest values top[n]
 * share: the largest of these values, without those above twice their median.
 * Thus a picture of a stuck chain does not set the scale. Sorts top. */
double cs_common_top(double *top, size_t n);
/* Draws bars, and a step line over them. Both are given as bins on the
 * plot's axis. The value `top` is as high as the area (0: the highest value);
 * a triangle marks a bar that is higher. */
void cs_bars_and_line(const cs_area *a, const cs_plot *p, cs_plot_bins bars,
                      cs_role role, cs_plot_bins line, cs_role over,
                      double top);
/* Draws values as one line of small bars, scaled from the lowest to the
 * highest value. */
void cs_sparkline(const cs_area *a, int x, int y, int width,
                  const double *value, size_t n, cs_role role);
