/* Chains in which a coordinate never changes. */
#pragma once

#include "stat/diagnostics.h"

/* Counts the chains whose draws are all equal, and tests whether the chains
 * differ in this. Let v be the value of such a chain, and q the share of other
 * values in the other chains. If all chains had the same distribution, and each m
 * effective draws, the chain would never change with probability (1 - q)^m.
 * `size` is the bulk ESS of all chains; NAN: m is 1. The chains are apart if the
 * smallest of these probabilities, times their number, is below 0.001, and also
 * if every chain is constant and the values differ. */
cs_constant_chains cs_constant_chains_of(cs_draws d, double size);
