/* Finite Markov chains as matrices P[n][n], where P[a][b] is the probability of
 * a step from a to b. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Spectral gaps of a chain that is reversible with respect to pi, with
 * eigenvalues 1 = lambda_1 >= lambda_2 >= ... >= lambda_n:
 *
 *     right = 1 - lambda_2 = inf_f E(P, f) / var f,
 *     absolute = 1 - max(|lambda_2|, |lambda_n|) = 1 - |P|_{L^2_0(pi)}. */
typedef struct cs_chain_gap {
    double right, absolute;
} cs_chain_gap;

/* Returns the largest |pi_a P_ab - pi_b P_ba|; it is 0 if the chain is
 * reversible. */
double cs_chain_imbalance(const double *P, const double *pi, size_t n);

/* Computes the gaps of a chain that is reversible with respect to pi[n], all
 * positive, n >= 2. Unless NULL, *time becomes the integrated autocorrelation
 * time of f[n],
 *
 *     1 + 2 sum_{t >= 1} corr(f(X_0), f(X_t)) =
 *         sum_k c_k^2 (1 + lambda_k) / (1 - lambda_k) / sum_k c_k^2,
 *
 * where c_k = <f, v_k> for all eigenfunctions except the constant. Fails with
 * CS_MEMORY, or with CS_NUMERIC if the eigenvalue iteration does not
 * converge. */
cs_status cs_chain_gaps(const double *P, const double *pi, size_t n,
                        cs_chain_gap *out, const double *f, double *time,
                        cs_error *err);

/* Computes pi[n], the unique distribution with pi P = pi, for any chain. Fails
 * with CS_NUMERIC if pi is not unique. */
cs_status cs_chain_stationary(const double *P, size_t n, double *pi,
                              cs_error *err);

/* Returns the largest P_ab - Q_ab over a != b; it is at most 0 if Q precedes P
 * in Peskun's order (Peskun 1973). */
double cs_chain_excess(const double *P, const double *Q, size_t n);
