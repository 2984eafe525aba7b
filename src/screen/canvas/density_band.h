/* The density band of chains: the series of several chains in one plot, all as
 * a density and one as a line over it. (Assigning the columns to chains in turn
 * would draw stripes that look like data.) */
#pragma once

#include "figure/work.h"
#include "screen/canvas/plot.h"

/* The smallest and the largest value of each chain in each bin of time; the
 * same array twice if bins have a single value. NAN: none. */
typedef struct cs_density_band {
    const double *low, *high; /* [chains][bins] [borrowed] */
    size_t chains, bins;
    const double
        *x; /* [bins] ascending ends on the axis [borrowed]; NULL: equal */
} cs_density_band;

/* Places the bins by their times, time[bins], for a plot with a partial or
 * logarithmic axis; b borrows at[CS_BUNDLE_BINS]. */
enum { CS_BUNDLE_BINS = 1024 };
void cs_density_band_place(cs_density_band *b, const cs_plot *p,
                           const cs_axis *axis, const double *time, double *at);

/* Percentage of the colours that the density uses; the brightest are left to
 * the line over it. */
enum { CS_BUNDLE_PERCENT = 65 };

/* Draws one chain from its smallest to its largest value; with `borders` only
 * these two, so that what is below remains visible. Triangles mark values
 * beyond the axis. */
void cs_density_band_line(const cs_plot *p, const cs_density_band *b,
                          size_t chain, bool borders);

/* Draws all chains as lines, the chosen one on top. */
void cs_density_band_lines(const cs_plot *p, const cs_density_band *b,
                           size_t chosen);

/* Draws all chains as density and line; a single chain only as a line. */
void cs_density_band_draw(const cs_plot *p, const cs_density_band *b,
                          size_t chosen);

/* Marks the present value of chain c with its glyph in column x of `edge`, so
 * that it is identified without colour. */
void cs_density_band_end(const cs_plot *p, const cs_area *edge,
                         const cs_density_band *b, size_t c);
