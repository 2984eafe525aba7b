/* Rank histograms: the ranks of each chain's draws among the draws of all
 * chains (Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, section 5).
 * The histograms are flat for chains with the same distribution. */
#pragma once

#include "base/status.h"
#include "stat/diagnostics.h"

#include <stdbool.h>

/* The null distribution of the height of a bar, if all chains have the same
 * distribution: `scale` times a hypergeometric count, whose mean is `share`
 * times the number of draws of a chain. Without
 * ties, share is 1 / bins and scale is 1. A bar inside a tie of many draws is
 * proportional to the number of the chain's draws in that tie. For other bars,
 * share and scale match the mean and the variance. */
typedef struct cs_rank_bar {
    double share, scale;
    bool same; /* equal to the previous bar, because both are inside one tie */
} cs_rank_bar;

/* Divides the ranks among all draws into equal bins, and counts the draws of
 * each chain per bin: count[chains][bins]. Tied draws share a range of ranks:
 * each of them is spread evenly over this range. The counts are then the means
 * over all orders of the tied draws. Describes the bars in bar[bins]. Fails
 * only if memory is short. */
cs_status cs_rank_counts(cs_draws d, size_t bins, double *count,
                         cs_rank_bar *bar, cs_error *err);

/* Computes a range for each bar, in band[bins]. If chains have the same
 * distribution, all of their bars are inside these ranges with probability at
 * least `level`. The chains have `size` independent draws in total. Each
 * distinct bar of a chain is inside its range with probability 1 - (1 - level)
 * / (chains * number of distinct bars). Needs two chains. */
typedef struct cs_rank_band {
    double low, high; /* share of a chain's draws in the bin */
} cs_rank_band;
void cs_rank_bands(double size, size_t chains, const cs_rank_bar *bar,
                   size_t bins, double level, cs_rank_band *band);
