/* Histogram of a chain with a range that grows by doubling, so that the range
 * need not be known in advance.
 *
 * Bin b covers [(base + b) w, (base + b + 1) w), where w is a power of two. If
 * a value does not fit, w doubles, and pairs of bins (b, b + 1) with base + b
 * even are merged. The final counts do not depend on when bins were merged.
 * Each chain has its own grid; a report converts all grids to the widest bins.
 * A value on a border, up to rounding, is counted in the bin above it. */
#pragma once

#include "probe/time_bins.h"

#include <math.h>

/* Rows of a lane's memory. Further sets of bins over the same grid may follow
 * the first set. WIDTH is 0 before the first observation. */
enum {
    CS_GRID_BINS = 128,
    CS_GRID_WIDTH = 0,
    CS_GRID_BASE,
    CS_GRID_BIN,
    CS_GRID_WORDS = CS_GRID_BIN + CS_GRID_BINS
};

#define CS_GRID_FIRST_WIDTH 0.0625

/* Returns the index of the bin of width `width` that contains x. */
static inline double cs_grid_bin(double x, double width)
{
    return floor(x / width + 1e-7);
}

/* Merges pairs of bins in bin[bins][n]. The bins in use remain in the
 * middle. */
static inline void cs_grid_merge(double *bin, size_t n, double base,
                                 double next)
{
    double merged[CS_GRID_BINS] = {0};
    for (size_t b = 0; b < CS_GRID_BINS; b++) {
        double at = floor((base + (double)b) / 2) - next;
        if (at >= 0 && at < CS_GRID_BINS)
            merged[(size_t)at] += bin[b * n];
    }
    for (size_t b = 0; b < CS_GRID_BINS; b++)
        bin[b * n] = merged[b];
}

/* Returns the index (from 0) of the bin of x in a lane's grid. If the grid does
 * not contain x, extends the grid. The rows of the lane begin at m ([..][n]);
 * `sets` is the number of sets of bins. */
static inline size_t cs_grid_reach(double *m, size_t n, size_t sets, double x)
{
    double *width = m + CS_GRID_WIDTH * n, *base = m + CS_GRID_BASE * n;
    if (*width == 0) {
        *width = CS_GRID_FIRST_WIDTH;
        *base = cs_grid_bin(x, *width) - CS_GRID_BINS / 2;
    }
    double at = cs_grid_bin(x, *width) - *base;
    for (; at < 0 || at >= CS_GRID_BINS; at = cs_grid_bin(x, *width) - *base) {
        double next = floor(*base / 2) - CS_GRID_BINS / 4;
        for (size_t k = 0; k < sets; k++)
            cs_grid_merge(m + (CS_GRID_BIN + k * CS_GRID_BINS) * n, n, *base,
                          next);
        *base = next;
        *width *= 2;
    }
    return (size_t)at;
}

/* Returns the left border of bin b of the chain's grid that begins at word
 * `at`. */
static inline double cs_grid_left(const cs_lane_memory *m, size_t at, size_t b)
{
    return (cs_bin_word(m, at + CS_GRID_BASE) + (double)b) *
           cs_bin_word(m, at + CS_GRID_WIDTH);
}

/* Finds a grid that contains the grids of all chains. The chains' grids begin
 * at word `at` of their memories. The bins are as wide as the widest bins of
 * any chain. Sets *low and *high to the first and the last bin in use, as
 * multiples of the width. Returns false if there are no observations. */
static inline bool cs_grid_span(const cs_lane_memory *chain, size_t n,
                                size_t at, double *width, double *low,
                                double *high)
{
    *width = 0;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t c = 0; c < n; c++)
        *width = fmax(*width, cs_bin_word(&chain[c], at + CS_GRID_WIDTH));
    for (size_t c = 0; c < n; c++)
        for (size_t b = 0; b < CS_GRID_BINS; b++) {
            if (cs_bin_word(&chain[c], at + CS_GRID_BIN + b) == 0)
                continue;
            double left = cs_grid_left(&chain[c], at, b);
            *low = fmin(*low, floor(left / *width));
            *high = fmax(*high, floor(left / *width));
        }
    while (*high - *low >= 2 * CS_GRID_BINS) { /* widens the bins if the
                                                  chains are far apart */
        *width *= 2;
        *low = floor(*low / 2);
        *high = floor(*high / 2);
    }
    return *width > 0;
}

/* Adds a chain's counts, multiplied by `unit`, to the counts of the common
 * grid. */
static inline void cs_grid_add(const cs_lane_memory *chain, size_t at,
                               double width, double low, double unit,
                               double *count)
{
    for (size_t b = 0; b < CS_GRID_BINS; b++) {
        double seen = cs_bin_word(chain, at + CS_GRID_BIN + b) * unit;
        double left = cs_grid_left(chain, at, b);
        if (seen > 0)
            count[(size_t)(floor(left / width) - low)] += seen;
    }
}
