/* How a finite chain P[n][n] comes to rest: total variation of its powers from
 * pi[n], what bounds it, and what its averages are worth. Any chain; where it need
 * not be reversible, nothing is asked of eigenvalues. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* tv[j], j < powers: the largest total variation between P^k(a, .) and pi over all
 * starts a, k = 2^j. Time n^3 each. CS_MEMORY. Cold. */
cs_status cs_chain_distances(const double *P, const double *pi, size_t n,
                             size_t powers, double *tv, cs_error *err);

/* tv[k], k = 0 .. steps: the same from one start; time steps n^2. CS_MEMORY */
cs_status cs_chain_convergence(const double *P, const double *pi, size_t n,
                               size_t start, size_t steps, double *tv,
                               cs_error *err);

/* P = P Q. CS_MEMORY */
cs_status cs_chain_times(double *P, const double *Q, size_t n, cs_error *err);

/* sum_b min_a P_ab, the largest e with P(a, .) >= e nu for all a and some
 * distribution nu, so that the total variation of P^k is at most (1 - e)^k
 * (Doeblin). */
double cs_chain_minorant(const double *P, size_t n);

/* Whether the chain is reversible, all its entries positive: then pi[n] is what it
 * comes to, however slowly. To 1e-9 of each flow. */
bool cs_chain_balance(const double *P, size_t n, double *pi);

/* 1 less the second largest size of an eigenvalue. CS_MEMORY, CS_NUMERIC */
cs_status cs_chain_any_gap(const double *P, size_t n, double *gap,
                           cs_error *err);

/* The integrated autocorrelation time of f[n] at rest, pi P = pi: the variance of
 * a mean of k states is about time var f / k. By Poisson's equation. CS_MEMORY,
 * CS_NUMERIC */
cs_status cs_chain_time(const double *P, const double *pi, const double *f,
                        size_t n, double *time, cs_error *err);
