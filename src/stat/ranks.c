#include "stat/ranks.h"

#include "base/memory.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

cs_status cs_rank_counts(cs_draws d, size_t bins, double *count, cs_error *err)
{
    assert(bins > 0);
    size_t size = d.n * d.chains;
    double *rank = cs_alloc(size, sizeof *rank);
    if (!rank)
        return cs_fail(err, CS_MEMORY, "out of memory for ranks");
    cs_status s = cs_ranks(d.x, size, rank, err);
    for (size_t i = 0; i < d.chains * bins; i++)
        count[i] = 0;
    for (size_t i = 0; s == CS_OK && i < size; i++) {
        double at = (rank[i] - 0.5) / (double)size * (double)bins;
        size_t bin = (size_t)at < bins ? (size_t)at : bins - 1;
        count[i / d.n * bins + bin]++;
    }
    cs_free(rank);
    return s;
}

cs_rank_band cs_rank_band_of(double size, size_t chains, size_t bins,
                             double level)
{
    assert(chains > 1 && bins > 0);
    double tail = (1 - level) / (double)(chains * bins) / 2;
    unsigned all = (unsigned)fmin(fmax(round(size), 1), 1e6);
    unsigned draws = (unsigned)round(size / (double)chains);
    unsigned inside = (unsigned)round(size / (double)bins), low = 0;
    inside = inside < all ? inside : all;
    while (low < draws &&
           gsl_cdf_hypergeometric_P(low, inside, all - inside, draws) < tail)
        low++;
    unsigned high = low;
    while (high < draws &&
           gsl_cdf_hypergeometric_Q(high, inside, all - inside, draws) > tail)
        high++;
    return (cs_rank_band){low, high};
}
