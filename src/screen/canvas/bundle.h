/* The courses of several chains in one plot: all of them as a density, one of
 * them as a line over it. Dealt out by column, their colours would be stripes
 * that look like data. */
#pragma once

#include "figure/work.h"
#include "screen/canvas/plot.h"

/* The least and the largest value of each chain in each bin of time; the same
 * array twice where a bin is one value. NAN: none. */
typedef struct cs_bundle {
    const double *low, *high; /* [chains][bins] [borrowed] */
    size_t chains, bins;
    const double
        *x; /* [bins] where each ends on the plot's axis, ascending; NULL:
                        they share its width evenly [borrowed] */
} cs_bundle;

/* Where the plot shows a part of its axis, or a logarithmic one: bins stand where
 * their times do, time[bins]; at[CS_BUNDLE_BINS] is borrowed as long as b is. */
enum { CS_BUNDLE_BINS = 1024 };
void cs_bundle_place(cs_bundle *b, const cs_plot *p, const cs_axis *axis,
                     const double *time, double *at);

/* Of the colours, those that all chains take: the brightest are left to the line
 * over them. */
enum { CS_BUNDLE_PERCENT = 65 };

/* One chain from its least to its largest value; with `borders` only these
 * two, so that what is beneath is seen. A triangle: beyond the axis. */
void cs_bundle_line(const cs_plot *p, const cs_bundle *b, size_t chain,
                    bool borders);

/* All as lines, the chosen one on top. */
void cs_bundle_lines(const cs_plot *p, const cs_bundle *b, size_t chosen);

/* All of them: as density and line, or alone where there is but one chain. */
void cs_bundle_draw(const cs_plot *p, const cs_bundle *b, size_t chosen);

/* Where chain c is now, by its glyph in column x of `edge`: told without
 * colour. */
void cs_bundle_end(const cs_plot *p, const cs_area *edge, const cs_bundle *b,
                   size_t c);
