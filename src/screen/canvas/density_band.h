/* The density band of chains: the series of several chains in one plot, all
 * chains as a density and one chain as a line over it. (If the plot's
 * columns were divided among the chains, stripes would appear that look like
 * data.) */
#pragma once

#include "figure/work.h"
#include "screen/canvas/plot.h"

/* The smallest and the largest value of each chain in each bin of time. If bins
 * have a single value, low and high are the same array. NAN: no value. */
typedef struct cs_density_band {
    const double *low, *high; /* [chains][bins] [borrowed] */
    size_t chains, bins;
    /* [bins] ascending ends of the bins on the axis [borrowed]; NULL: equal
     * bins */
    const double *x;
    /* draw: [chains][draws], one value per chain from each of `draws` equal
     * bins of time, at a random step of the bin. draw_time: [draws], the
     * ends of these bins. [borrowed] NULL: the density is computed from the
     * bins above, each spread evenly from its smallest to its largest value.
     * NAN: no value */
    const double *draw, *draw_time;
    size_t draws;
    const cs_axis *axis; /* the axis of draw_time [borrowed] */
} cs_density_band;

/* Sets the ends of the bins from their times, time[bins], for a plot with a
 * partial or logarithmic axis. b keeps a pointer to
 * at[CS_DENSITY_BAND_BINS]. */
enum { CS_DENSITY_BAND_BINS = 1024 };
void cs_density_band_place(cs_density_band *b, const cs_plot *p,
                           const cs_axis *axis, const double *time, double *at);

/* Percentage of the ramp's colours that the density uses; the brightest
 * colours are reserved for the line drawn over the density. */
enum { CS_DENSITY_BAND_PERCENT = 65 };

/* Draws one chain as strokes, one per column. Each stroke reaches from the
 * smallest to the largest value of the chain in this column. With `borders`,
 * draws only the two ends of each stroke, so that the plot under the line
 * remains visible. Triangles mark values beyond the axis. */
void cs_density_band_line(const cs_plot *p, const cs_density_band *b,
                          size_t chain, bool borders);

/* Draws all chains as lines, the chosen chain on top. */
void cs_density_band_lines(const cs_plot *p, const cs_density_band *b,
                           size_t chosen);

/* Returns the smallest share of a column's draws that is shown in the density's
 * brightest colour. The share is 1/6 for a plot of at least 6 lines, and
 * 1/lines for a lower plot. It depends only on the height, so plots of equal
 * height have equal colours. */
double cs_density_band_top(int lines);

/* Draws the colour scale for a plot of `lines` lines, in line y, from column
 * x. */
int cs_density_band_legend(const cs_area *a, int x, int y, int lines);

/* Draws all chains as a density and the chosen chain as a line. A single
 * chain without `draw` is drawn only as a line. */
void cs_density_band_draw(const cs_plot *p, const cs_density_band *b,
                          size_t chosen);

/* Marks the current value of chain c with its glyph in column x of `edge`, so
 * that the chain can be identified without colour. */
void cs_density_band_end(const cs_plot *p, const cs_area *edge,
                         const cs_density_band *b, size_t c);
