/* Convergence of a finite chain P[n][n]: total variation distance of its powers
 * from pi[n], bounds on this distance, and the autocorrelation time of
 * averages. Unless noted otherwise, the chain may be reversible or not. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Computes tv[j], j < powers: the total variation distance between P^k(a, .)
 * and pi for k = 2^j, maximised over all starts a. The time for each j is
 * proportional to n^3. May fail with CS_MEMORY. Not called in hot loops. */
cs_status cs_chain_distances(const double *P, const double *pi, size_t n,
                             size_t powers, double *tv, cs_error *err);

/* Computes tv[k], k = 0 .. steps: the distance after k steps from the given
 * start. The time is proportional to steps * n^2. May fail with CS_MEMORY. */
cs_status cs_chain_convergence(const double *P, const double *pi, size_t n,
                               size_t start, size_t steps, double *tv,
                               cs_error *err);

/* Replaces P by the product P Q. May fail with CS_MEMORY. */
cs_status cs_chain_times(double *P, const double *Q, size_t n, cs_error *err);

/* Returns sum_b min_a P_ab. This is the largest e with P(a, .) >= e nu for all
 * a and some distribution nu, so that the total variation distance of P^k is at
 * most (1 - e)^k (Doeblin). */
double cs_chain_minorant(const double *P, size_t n);

/* Returns true if the chain is reversible: between any two states, the flows in
 * both directions must be equal, with a relative tolerance of 1e-9. All entries
 * of P must be positive. If the chain is reversible, pi[n] becomes its
 * stationary distribution. */
bool cs_chain_balance(const double *P, size_t n, double *pi);

/* Computes 1 minus the second largest absolute value of the eigenvalues. May
 * fail with CS_MEMORY or CS_NUMERIC. */
cs_status cs_chain_any_gap(const double *P, size_t n, double *gap,
                           cs_error *err);

/* Computes the integrated autocorrelation time of f[n] in stationarity (pi P =
 * pi), from Poisson's equation. The mean of f over k states has the variance
 * time * var f / k, approximately. May fail with CS_MEMORY or CS_NUMERIC. */
cs_status cs_chain_time(const double *P, const double *pi, const double *f,
                        size_t n, double *time, cs_error *err);
