/* Rank histograms: the ranks of each chain's draws among the draws of all
 * chains (Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, section 5).
 * The histograms are flat for chains with the same distribution. */
#pragma once

#include "base/status.h"
#include "stat/diagnostics.h"

/* Counts the draws of each chain in equal bins of their ranks among all draws,
 * into count[chains][bins]; ties share their mean rank. Fails only if memory is
 * short. */
cs_status cs_rank_counts(cs_draws d, size_t bins, double *count, cs_error *err);

/* Returns the counts between which all bars of chains with the same
 * distribution remain with probability at least `level`. The chains have `size`
 * independent draws in total. Each bar is hypergeometric, size / chains ranks
 * out of size, and is inside with probability 1 - (1 - level) / (chains bins).
 * Needs two chains. */
typedef struct cs_rank_band {
    double low, high; /* draws in a bin, out of size / chains */
} cs_rank_band;
cs_rank_band cs_rank_band_of(double size, size_t chains, size_t bins,
                             double level);
