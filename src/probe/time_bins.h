/* Time bins whose width doubles. A fixed number of bins covers any number of
 * observations: when the last bin is full, neighbouring bins are merged in
 * pairs. The width depends only on the number of observations. It is therefore
 * equal in all lanes, and does not depend on the blocks. */
#pragma once

#include "probe/probe.h"

#include <stdint.h>

enum { CS_BINS = 128 };

/* Ways to merge two neighbouring bins. */
typedef enum cs_bin_merge {
    CS_MERGE_SUM,
    CS_MERGE_MIN,
    CS_MERGE_MAX,
    CS_MERGE_LAST /* keeps the later value, which thins by two */
} cs_bin_merge;

static inline double cs_merged(cs_bin_merge how, double a, double b)
{
    if (how == CS_MERGE_SUM)
        return a + b;
    if (how == CS_MERGE_LAST)
        return b;
    return how == CS_MERGE_MIN ? (b < a ? b : a) : (b > a ? b : a);
}

/* Merges pairs of bins in bin[bins][stride], in the first `lanes` lanes of each
 * row. The upper half is set to `empty`. */
static inline void cs_bins_fold_some(double *bin, size_t bins, size_t stride,
                                     size_t lanes, cs_bin_merge how,
                                     double empty)
{
    for (size_t i = 0; i < bins / 2; i++)
        for (size_t l = 0; l < lanes; l++)
            bin[i * stride + l] = cs_merged(how, bin[2 * i * stride + l],
                                            bin[(2 * i + 1) * stride + l]);
    for (size_t i = bins / 2; i < bins; i++)
        for (size_t l = 0; l < lanes; l++)
            bin[i * stride + l] = empty;
}

static inline void cs_bins_fold_of(double *bin, size_t bins, size_t lanes,
                                   cs_bin_merge how, double empty)
{
    cs_bins_fold_some(bin, bins, lanes, lanes, how, empty);
}

static inline void cs_bins_fold(double *bin, size_t lanes, cs_bin_merge how,
                                double empty)
{
    cs_bins_fold_of(bin, CS_BINS, lanes, how, empty);
}

/* Returns step / every, the index of the observation at step `step`.
 * Observations are counted from 1. */
static inline uint64_t cs_bins_seen(const cs_probe *p, uint64_t step)
{
    return step / p->every;
}

/* Returns the width of a bin, in observations, after `seen` observations in
 * `bins` bins. */
static inline uint64_t cs_bins_width_of(uint64_t seen, size_t bins)
{
    uint64_t halves = seen ? (seen - 1) / bins : 0;
    return halves ? UINT64_C(1) << (64 - __builtin_clzll(halves)) : 1;
}

static inline uint64_t cs_bins_width(uint64_t seen)
{
    return cs_bins_width_of(seen, CS_BINS);
}

/* Returns the number of bins that are in use after `seen` observations. */
static inline size_t cs_bins_used(uint64_t seen)
{
    uint64_t width = cs_bins_width(seen);
    return (size_t)((seen + width - 1) / width);
}

/* Returns the bin of observation number `seen`. Sets *fold to whether pairs of
 * bins must be merged before this observation is stored. */
static inline size_t cs_bins_at_of(uint64_t seen, size_t bins, bool *fold)
{
    uint64_t width = cs_bins_width_of(seen, bins);
    *fold = seen > 1 && cs_bins_width_of(seen - 1, bins) != width;
    return (size_t)((seen - 1) / width);
}

static inline size_t cs_bins_at(uint64_t seen, bool *fold)
{
    return cs_bins_at_of(seen, CS_BINS, fold);
}

/* Fills out[used] with the last step of each bin. */
static inline void cs_bins_time(const cs_probe *p, uint64_t seen, double *out)
{
    uint64_t width = cs_bins_width(seen);
    size_t used = cs_bins_used(seen);
    for (size_t i = 0; out && i < used; i++) {
        uint64_t end = (i + 1) * width;
        out[i] = (double)((end < seen ? end : seen) * p->every);
    }
}

/* Returns word w of a chain's memory. */
static inline double cs_bin_word(const cs_lane_memory *m, size_t w)
{
    return m->word[w * m->stride];
}

/* Parameter row for the number of coordinates, counted from the first, that a
 * probe observes. */
#define CS_COORDINATES_ROW(most_, def_, help_)                                 \
    {                                                                          \
        .name = "coordinates", .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED,  \
        .min = 1, .max = most_, .def = def_, .help = help_,                    \
    }
