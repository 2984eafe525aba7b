/* Agreement of chains of a discrete state: a chi-square test of homogeneity of
 * a site's values that is valid for autocorrelated chains.
 *
 * Each of the C chains is cut into B batches of equal length. Let p_cbv be the
 * share of value v in batch b of chain c, p_cv its share in chain c, and p_v
 * its share in all chains:
 *
 *   between = B sum over c, v of (p_cv - p_v)^2 / p_v / (C - 1)
 *   within  =   sum over c, b, v of (p_cbv - p_cv)^2 / p_v / (C (B - 1))
 *   F = between / within
 *
 * Up to a factor, `between` is Pearson's statistic. `within` is an estimate,
 * from the batches, of the value that `between` has for chains that agree.
 * Their ratio does not depend on the autocorrelation if batches are longer than
 * the autocorrelation time. It is compared with an F distribution of (C - 1) f
 * and C (B - 1) f degrees of freedom, f = (tr S)^2 / tr S^2, where S is the
 * covariance of the weighted shares within chains (f = 1 for two values): the
 * second-order correction of Rao and Scott, "On chi-squared tests for multiway
 * contingency tables with cell proportions estimated from survey data" (1984).
 * Deonovic and Smith, "Convergence diagnostics for MCMC draws of a categorical
 * variable" (2017), correct the same statistic with a model of the
 * autocorrelation; batches need no model. */
#pragma once

#include "stat/diagnostics.h"

enum { CS_HOMOGENEITY_BATCHES = 16, CS_HOMOGENEITY_VALUES = 32 };

/* Tests draws that are integers from `low` to low + values - 1. p is NAN in
 * these cases: there is only one chain; a batch has fewer than 4 draws; there
 * is only one value, or more than CS_HOMOGENEITY_VALUES values; a draw is
 * another number. */
cs_homogeneity cs_homogeneity_of(cs_draws d, double low, size_t values);
