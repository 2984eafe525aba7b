/* Whether chains of a discrete state are alike: a chi-square test of homogeneity of
 * a site's values that is right for chains whose draws are correlated.
 *
 * With p_cbv the share of value v in batch b of chain c (B batches of equal length a
 * chain), p_cv and p_v those of the chain and of all chains C:
 *
 *   between = B sum over c, v of (p_cv - p_v)^2 / p_v / (C - 1)
 *   within  =   sum over c, b, v of (p_cbv - p_cv)^2 / p_v / (C (B - 1))
 *   F = between / within
 *
 * `between` is Pearson's statistic but for a factor, `within` what it is where chains
 * are alike, as the batches tell it: their ratio is free of the autocorrelation as
 * long as batches are longer than that. It is compared with an F of
 * (C - 1) f and C (B - 1) f degrees of freedom, f = (tr S)^2 / tr S^2 of the
 * covariance S of the weighted shares within chains (1 of two values): the
 * second-order correction of Rao and Scott, "On chi-squared tests for multiway
 * contingency tables with cell proportions estimated from survey data" (1984). For
 * chains of categories Deonovic and Smith, "Convergence diagnostics for MCMC draws
 * of a categorical variable" (2017), correct the same statistic by a model of the
 * autocorrelation; batches need none. */
#pragma once

#include "stat/diagnostics.h"

enum { CS_HOMOGENEITY_BATCHES = 16, CS_HOMOGENEITY_VALUES = 32 };

/* Of draws that are whole numbers from `low` on, `values` of them at most. p is NAN
 * of one chain, of fewer than 4 draws a batch, of one value, of more than
 * CS_HOMOGENEITY_VALUES, and where a draw is something else. */
cs_homogeneity cs_homogeneity_of(cs_draws d, double low, size_t values);
