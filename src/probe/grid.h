/* A histogram per chain whose range grows by doubling, so that no range is
 * needed beforehand.
 *
 * Bin b covers [(base + b) w, (base + b + 1) w), w a power of two. When a value
 * does not fit, w doubles and pairs (b, b + 1) with base + b even merge: the
 * counts do not depend on when that happened. Each chain has its own grid; a
 * report converts them to the widest. A value on a border, up to rounding,
 * counts in the bin above it. */
#pragma once

#include "probe/time_bins.h"

#include <math.h>

/* Rows of a lane's memory; more sets of bins over the same grid follow the
 * first. WIDTH 0: no observations. */
enum {
    CS_GRID_BINS = 128,
    CS_GRID_WIDTH = 0,
    CS_GRID_BASE,
    CS_GRID_BIN,
    CS_GRID_WORDS = CS_GRID_BIN + CS_GRID_BINS
};

#define CS_GRID_FIRST_WIDTH 0.0625

/* Returns the number of the bin of width `width` that contains x. */
static inline double cs_grid_bin(double x, double width)
{
    return floor(x / width + 1e-7);
}

/* Merges pairs of bin[bins][n]; the used part stays in the middle. */
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

/* Returns the bin of x, from 0, in the grid of the lane whose rows begin at m
 * ([..][n]), extending it to contain x; `sets`: its number of sets of bins. */
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

/* Returns the left border of bin b of a chain whose grid begins at word
 * `at`. */
static inline double cs_grid_left(const cs_lane_memory *m, size_t at, size_t b)
{
    return (cs_bin_word(m, at + CS_GRID_BASE) + (double)b) *
           cs_bin_word(m, at + CS_GRID_WIDTH);
}

/* Finds the grid that contains those of all chains, which begin at word `at`:
 * the widest bins, from the first used to the last, in widths. False: no
 * observations. */
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
    while (*high - *low >= 2 * CS_GRID_BINS) { /* chains are far apart */
        *width *= 2;
        *low = floor(*low / 2);
        *high = floor(*high / 2);
    }
    return *width > 0;
}

/* Adds a chain's counts, times `unit`, to those of that grid. */
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
