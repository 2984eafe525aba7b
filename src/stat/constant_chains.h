/* Chains in which a coordinate never changes. */
#pragma once

#include "stat/diagnostics.h"

/* Counts the chains whose draws are all equal, and tests whether the chains
 * differ in this. Let v be the value of such a chain, q the share of other values
 * in the other chains, and t the mean number of their changes between v and
 * another value. Independent draws have about 2 q (1 - q) n changes, so that a
 * chain has m = min(n, t / (2 q (1 - q))) effective draws, at least 1. If all
 * chains had the same distribution, this chain would never change with
 * probability (1 - q)^m. The chains are apart if the smallest of these
 * probabilities, times their number, is below 0.001, or if two chains are
 * constant at different values. (The ESS of all chains cannot replace m: it is
 * small because the chains differ.) */
cs_constant_chains cs_constant_chains_of(cs_draws d);
