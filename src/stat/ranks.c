#include "stat/ranks.h"

#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

/* The range of ranks, in bins, of draws with the same value. */
typedef struct tie {
    double from, end;
} tie;

/* Returns the part of bin b that a tie covers. */
static double overlap(const tie *t, size_t b)
{
    return fmin(t->end, (double)b + 1) - fmax(t->from, (double)b);
}

/* Spreads a draw over the bins of its tie. Each bin receives a part of the
 * draw. The part is added to the bin's element of `count`, and its square to
 * the bin's element of `square`. */
static void spread(const tie *t, size_t bins, double *count, double *square)
{
    double wide = t->end - t->from;
    for (size_t b = (size_t)t->from; b < bins && (double)b < t->end; b++) {
        double part = fmax(overlap(t, b), 0) / wide;
        count[b] += part;
        square[b] += part * part;
    }
}

/* Computes the distribution of each bar from the sums of the squares of the
 * parts. Bars whose bins are inside the same tie are equal. */
static void describe(const double *square, size_t size, size_t bins,
                     const bool *same, cs_rank_bar *bar)
{
    double mean = 1 / (double)bins;
    for (size_t b = 0; b < bins; b++) {
        double variance = square[b] / (double)size - mean * mean;
        double share = mean * mean / (mean * mean + fmax(variance, 0));
        bar[b] = (cs_rank_bar){share, mean / share, same[b]};
    }
}

/* Counts how many draws have each rank: times[2 * rank]. Mean ranks are
 * multiples of 1/2. */
static void count_ties(const double *rank, size_t size, double *times)
{
    for (size_t i = 0; i <= 2 * size; i++)
        times[i] = 0;
    for (size_t i = 0; i < size; i++)
        times[(size_t)(2 * rank[i] + 0.5)]++;
}

static void count_all(cs_draws d, const double *rank, const double *times,
                      size_t bins, double *count, double *square, bool *same)
{
    size_t size = d.n * d.chains;
    double unit = (double)bins / (double)size;
    for (size_t i = 0; i < size; i++) {
        double n = times[(size_t)(2 * rank[i] + 0.5)];
        double from = rank[i] - 0.5 - n / 2;
        tie t = {from * unit, (from + n) * unit};
        spread(&t, bins, count + i / d.n * bins, square);
        for (size_t b = (size_t)t.from + 1; (double)b + 1 <= t.end; b++)
            same[b] = same[b] || t.from <= (double)b - 1;
    }
}

cs_status cs_rank_counts(cs_draws d, size_t bins, double *count,
                         cs_rank_bar *bar, cs_error *err)
{
    assert(bins > 0);
    size_t size = d.n * d.chains;
    double *rank = cs_alloc(3 * size + 1 + bins, sizeof *rank);
    bool *same = cs_alloc(bins, sizeof *same);
    if (!rank || !same) {
        CS_FREE_ALL(rank, same);
        return cs_fail(err, CS_MEMORY, "out of memory for ranks");
    }
    double *times = rank + size, *square = times + 2 * size + 1;
    cs_status s = cs_ranks(d.x, size, rank, err);
    for (size_t i = 0; i < d.chains * bins; i++)
        count[i] = 0;
    for (size_t b = 0; b < bins; b++) {
        square[b] = 0;
        same[b] = false;
    }
    if (s == CS_OK) {
        count_ties(rank, size, times);
        count_all(d, rank, times, bins, count, square, same);
        describe(square, size, bins, same, bar);
    }
    CS_FREE_ALL(rank, same);
    return s;
}

/* Finds the range of one bar, as a share of a chain's draws. `tail` is the
 * probability below the range, and also the probability above it. */
static cs_rank_band band_of(double size, size_t chains, const cs_rank_bar *bar,
                            double tail)
{
    const double slack = 1e-9; /* for rounding in sums of parts */
    unsigned all = (unsigned)fmin(fmax(round(size), 1), 1e6);
    unsigned draws = (unsigned)round(all / (double)chains);
    unsigned inside = (unsigned)round(all * bar->share), low = 0;
    draws = draws ? draws : 1;
    inside = inside < all ? inside : all;
    while (low < draws &&
           gsl_cdf_hypergeometric_P(low, inside, all - inside, draws) < tail)
        low++;
    unsigned high = low;
    while (high < draws &&
           gsl_cdf_hypergeometric_Q(high, inside, all - inside, draws) > tail)
        high++;
    return (cs_rank_band){bar->scale * low / draws * (1 - slack),
                          bar->scale * high / draws * (1 + slack)};
}

void cs_rank_bands(double size, size_t chains, const cs_rank_bar *bar,
                   size_t bins, double level, cs_rank_band *band)
{
    assert(chains > 1 && bins > 0);
    size_t distinct = 0;
    for (size_t b = 0; b < bins; b++)
        distinct += !bar[b].same;
    double tail = (1 - level) / (double)(chains * distinct) / 2;
    for (size_t b = 0; b < bins; b++)
        band[b] = b && bar[b].same ? band[b - 1]
                                   : band_of(size, chains, &bar[b], tail);
}
