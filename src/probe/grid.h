/* A histogram per chain whose range grows by doubling, so that it needs no range
 * beforehand.
 *
 * Bin b covers [(base + b) w, (base + b + 1) w) with w a power of two. Where
 * a value does not fit, w doubles and pairs (b, b + 1) with base + b even
 * merge: the counts do not depend on when that happened. Each chain has a grid
 * of its own; a report brings them to the widest. What lies on a border, up to
 * rounding, counts above it. */
#pragma once

#include "probe/bins.h"

#include <math.h>

/* Rows of a lane's memory; further sets of bins over the same grid follow the
 * first. WIDTH 0: nothing was seen. */
enum {
    CS_GRID_BINS = 128,
    CS_GRID_WIDTH = 0,
    CS_GRID_BASE,
    CS_GRID_BIN,
    CS_GRID_WORDS = CS_GRID_BIN + CS_GRID_BINS
};

#define CS_GRID_FIRST_WIDTH 0.0625

/* The number of the bin of width `width` that x is in. */
static inline double cs_grid_bin(double x, double width)
{
    return floor(x / width + 1e-7);
}

/* Merges pairs of bin[bins][n]; the used part keeps its place in the middle. */
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

/* Its bin from 0, in the grid of the lane whose rows begin at m ([..][n]),
 * which is made to reach it; `sets`: how many sets of bins it has. */
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

/* The left border of bin b of a chain whose grid begins at word `at`. */
static inline double cs_grid_left(const cs_lane_memory *m, size_t at, size_t b)
{
    return (cs_bin_word(m, at + CS_GRID_BASE) + (double)b) *
           cs_bin_word(m, at + CS_GRID_WIDTH);
}

/* The grid that holds every chain, whose own begin at word `at`: the widest bins,
 * from the first used to the last, in widths. False when nothing was seen. */
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
    while (*high - *low >= 2 * CS_GRID_BINS) { /* chains far apart */
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
