/* Markov chains on a few states, as matrices P[n][n], P[a][b] the probability
 * of a step from a to b. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Of a chain that is reversible with respect to pi, with eigenvalues 1 =
 * lambda_1 >= lambda_2 >= ... >= lambda_n:
 *
 *     right = 1 - lambda_2 = inf_f E(P, f) / var f,
 *     absolute = 1 - max(|lambda_2|, |lambda_n|) = 1 - |P|_{L^2_0(pi)}. */
typedef struct cs_chain_gap {
    double right, absolute;
} cs_chain_gap;

/* The largest |pi_a P_ab - pi_b P_ba|: 0 where the chain is reversible. */
double cs_chain_imbalance(const double *P, const double *pi, size_t n);

/* The gaps of a chain that is reversible with respect to pi[n], all positive,
 * n >= 2; `time`, unless it is NULL, becomes the integrated autocorrelation time
 * of f[n],
 *
 *     1 + 2 sum_{t >= 1} corr(f(X_0), f(X_t)) = sum_k c_k^2 (1 + lambda_k) /
 *         (1 - lambda_k) / sum_k c_k^2,
 *
 * c_k = <f, v_k> of the eigenfunctions but the constant one. CS_MEMORY,
 * CS_NUMERIC where GSL does not converge. */
cs_status cs_chain_gaps(const double *P, const double *pi, size_t n,
                        cs_chain_gap *out, const double *f, double *time,
                        cs_error *err);

/* pi[n] = the one distribution with pi P = pi, of any chain; CS_NUMERIC where
 * there is more than one. */
cs_status cs_chain_stationary(const double *P, size_t n, double *pi,
                              cs_error *err);

/* The largest P_ab - Q_ab, a != b: at most 0 where Q comes before P in Peskun's
 * order (Peskun 1973). */
double cs_chain_excess(const double *P, const double *Q, size_t n);
