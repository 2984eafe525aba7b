/* Sums of many scalars over time bins (probe/time_bins.h), over every step,
 * fast enough for whole states. A step adds each scalar to the sum of the
 * current bin; the current sums of all scalars are contiguous. A sum is stored
 * in its bin only when the bin is complete. The variance uses every eighth
 * step.
 *
 * The memory of a lane, from word `at`, has for each scalar the sum of the
 * current bin, the first value, the sum of differences from the first value and
 * the sum of their squares (both over every eighth step); the bins of each
 * scalar follow. For weighted draws, the third and fourth words are the
 * weighted mean and the weighted sum of squares about it, over all steps, and
 * the bins also include the current sum. */
#pragma once

#include "probe/time_bins.h"
#include "simd/simd.h"

#include <math.h>

enum { CS_SUMS_NOW, CS_SUMS_FIRST, CS_SUMS_OFF, CS_SUMS_SQUARES, CS_SUMS_ROWS };
enum { CS_SUMS_EVERY = 8 };

typedef struct cs_sums {
    size_t n, bins, at;
} cs_sums;

static inline size_t cs_sums_words(const cs_sums *s)
{
    return s->n * (CS_SUMS_ROWS + s->bins);
}

/* Returns the word of scalar k in row `row`. */
static inline size_t cs_sums_row(const cs_sums *s, size_t row, size_t k)
{
    return s->at + row * s->n + k;
}

static inline size_t cs_sums_bin(const cs_sums *s, size_t k, size_t i)
{
    return s->at + CS_SUMS_ROWS * s->n + k * s->bins + i;
}

/* Adds the current sums of `lanes` lanes to bin i of the memory m[words][n]. */
static inline void cs_sums_close(const cs_sums *s, double *m, size_t n,
                                 size_t lanes, size_t i)
{
    for (size_t k = 0; k < s->n; k++) {
        double *now = m + cs_sums_row(s, CS_SUMS_NOW, k) * n;
        double *bin = m + cs_sums_bin(s, k, i) * n;
        for (size_t l = 0; l < lanes; l++) {
            bin[l] += now[l];
            now[l] = 0;
        }
    }
}

/* Starts a new bin if the current bin is complete. Call before the values of
 * step number `seen` are added for these lanes. */
static inline void cs_sums_turn(const cs_sums *s, double *m, size_t n,
                                size_t lanes, uint64_t seen)
{
    bool fold, ignored;
    size_t bin = cs_bins_at_of(seen, s->bins, &fold);
    if (seen < 2)
        return;
    size_t before = cs_bins_at_of(seen - 1, s->bins, &ignored);
    if (bin == before && !fold)
        return;
    cs_sums_close(s, m, n, lanes, before);
    for (size_t k = 0; fold && k < s->n; k++)
        cs_bins_fold_some(m + cs_sums_bin(s, k, 0) * n, s->bins, n, lanes,
                          CS_MERGE_SUM, 0);
}

/* Adds the values x of a single lane at step number `seen` to the sums from
 * which the variance is computed. Does nothing if the variance does not use
 * this step. */
static inline void cs_sums_square_one(const cs_sums *s, double *m, size_t n,
                                      const double *x, size_t apart,
                                      uint64_t seen)
{
    double *first = m + cs_sums_row(s, CS_SUMS_FIRST, 0) * n;
    double *off = m + cs_sums_row(s, CS_SUMS_OFF, 0) * n;
    double *squares = m + cs_sums_row(s, CS_SUMS_SQUARES, 0) * n;
    for (size_t k = 0; seen == 1 && k < s->n; k++)
        first[k * n] = x[k * apart];
    for (size_t k = 0; seen % CS_SUMS_EVERY == 0 && k < s->n; k++) {
        double d = x[k * apart] - first[k * n];
        off[k * n] += d;
        squares[k * n] += d * d;
    }
}

/* Adds the values x[s->n] of a single lane at step number `seen` to its sums.
 * The values are `apart` words apart. */
static inline void cs_sums_take_one(const cs_sums *s, double *m, size_t n,
                                    const double *x, size_t apart,
                                    uint64_t seen)
{
    double *now = m + cs_sums_row(s, CS_SUMS_NOW, 0) * n;
    for (size_t k = 0; k < s->n; k++)
        now[k * n] += x[k * apart];
    cs_sums_square_one(s, m, n, x, apart, seen);
}

/* Adds the values row[steps][width] of a single lane to its sums, for several
 * steps that are in one bin. The result is bit for bit that of repeated calls
 * of cs_sums_take_one. */
static inline void cs_sums_take_steps(const cs_sums *s, double *m, size_t n,
                                      const double *row, size_t width,
                                      size_t steps, uint64_t seen)
{
    enum { SOME = 64 };
    double now[SOME];
    for (size_t from = 0, some; from < s->n; from += some) {
        double *at = m + cs_sums_row(s, CS_SUMS_NOW, from) * n;
        some = s->n - from < SOME ? s->n - from : SOME;
        for (size_t k = 0; k < some; k++)
            now[k] = at[k * n];
        for (size_t j = 0; j < steps; j++)
            for (size_t k = 0; k < some; k++)
                now[k] += row[j * width + from + k];
        for (size_t k = 0; k < some; k++)
            at[k * n] = now[k];
    }
    for (size_t j = 0; j < steps; j++)
        if (seen + j == 1 || (seen + j) % CS_SUMS_EVERY == 0)
            cs_sums_square_one(s, m, n, row + j * width, 1, seen + j);
}

/* Adds the values x[s->n][n] of all lanes at one step to their sums. No lane
 * may be left out. */
static inline void cs_sums_take(const cs_sums *s, double *m, size_t n,
                                const double *x, uint64_t seen)
{
    size_t all = s->n * n;
    double *now = m + cs_sums_row(s, CS_SUMS_NOW, 0) * n;
    double *first = m + cs_sums_row(s, CS_SUMS_FIRST, 0) * n;
    double *off = m + cs_sums_row(s, CS_SUMS_OFF, 0) * n;
    double *squares = m + cs_sums_row(s, CS_SUMS_SQUARES, 0) * n;
    for (size_t i = 0; i < all; i += CS_VECTOR)
        cs_store(now + i, cs_load(now + i) + cs_load(x + i));
    for (size_t i = 0; seen == 1 && i < all; i += CS_VECTOR)
        cs_store(first + i, cs_load(x + i));
    for (size_t i = 0; seen % CS_SUMS_EVERY == 0 && i < all; i += CS_VECTOR) {
        cs_vd d = cs_load(x + i) - cs_load(first + i);
        cs_store(off + i, cs_load(off + i) + d);
        cs_store(squares + i, cs_load(squares + i) + d * d);
    }
}

/* Returns the sum in bin i of a chain after `seen` observations. */
static inline double cs_sums_in(const cs_sums *s, const cs_lane_memory *chain,
                                double seen, size_t k, size_t i)
{
    bool ignored;
    double sum = cs_bin_word(chain, cs_sums_bin(s, k, i));
    if (seen > 0 && cs_bins_at_of((uint64_t)seen, s->bins, &ignored) == i)
        sum += cs_bin_word(chain, cs_sums_row(s, CS_SUMS_NOW, k));
    return sum;
}

/* Computes the mean of an unweighted chain and the sum of squares about it,
 * over all steps. The sum of squares is estimated from every eighth step; NAN
 * for fewer than 16 steps. */
static inline void cs_sums_moments(const cs_sums *s,
                                   const cs_lane_memory *chain, double seen,
                                   size_t k, double *mean, double *square)
{
    double sum = 0, n = (double)((uint64_t)seen / CS_SUMS_EVERY);
    double off = cs_bin_word(chain, cs_sums_row(s, CS_SUMS_OFF, k));
    double squares = cs_bin_word(chain, cs_sums_row(s, CS_SUMS_SQUARES, k));
    for (size_t i = 0; i < s->bins; i++)
        sum += cs_bin_word(chain, cs_sums_bin(s, k, i));
    sum += cs_bin_word(chain, cs_sums_row(s, CS_SUMS_NOW, k));
    *mean = sum / seen;
    *square =
        n > 1 ? (squares - off * off / n) / (n - 1) * (seen - 1) : (double)NAN;
}
