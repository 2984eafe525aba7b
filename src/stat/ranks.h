/* Rank histograms: how the draws of each chain are placed among those of all
 * (Vehtari, Gelman, Simpson, Carpenter and Buerkner 2021, section 5). Chains of
 * one law have flat ones. */
#pragma once

#include "base/status.h"
#include "stat/diagnostics.h"

/* count[chains][bins]: draws of each chain in equal bins of their ranks among
 * all; ties share their mean rank. Fails for want of memory. */
cs_status cs_rank_counts(cs_draws d, size_t bins, double *count, cs_error *err);

/* Between which counts all bars of chains of one law stay with probability
 * `level`, at least: `size` independent draws in all `chains`. Each bar is
 * hypergeometric, size / chains ranks out of size, and stays within with
 * probability 1 - (1 - level) / (chains bins). Needs two chains. */
typedef struct cs_rank_band {
    double low, high; /* counts of draws of which there are size / chains */
} cs_rank_band;
cs_rank_band cs_rank_band_of(double size, size_t chains, size_t bins,
                             double level);
