/* Nested R-hat, for many short chains.
 *
 * Margossian, Hoffman, Sountsov, Riou-Durand, Vehtari and Gelman, "Nested R-hat:
 * assessing the convergence of Markov chain Monte Carlo when running many short
 * chains" (2024). K superchains have M chains each, which start at the same
 * state, of N draws each. With the means x_mk of the chains, x_k of the
 * superchains and x of all draws, and the variances s_mk of the draws of a chain
 * (divisor N - 1),
 *
 *   B   = 1/(K - 1) sum_k (x_k - x)^2,
 *   B_k = 1/(M - 1) sum_m (x_mk - x_k)^2,    0 if M = 1,
 *   W_k = 1/M sum_m s_mk,                    0 if N = 1,
 *   nested R-hat = sqrt(1 + B / W),   W = 1/K sum_k (B_k + W_k).
 *
 * It needs no long chains: N may be 1 if M is larger than 1. For chains that
 * have converged it is near sqrt(1 + 1 / (M N)) or below. Here superchains may
 * have different numbers M of chains, so that a jackknife can leave some out. */
#pragma once

#include "stat/diagnostics.h"

/* Returns nested R-hat. Chain c of d belongs to superchain of[c]; numbers of
 * superchains without chains do not count. An undefined value is NAN, with the
 * reason in *reason (stat/diagnostics.h). HUGE_VAL: no superchain varies, and
 * they differ. */
double cs_nested_rhat(cs_draws d, const size_t *of, const char **reason);
