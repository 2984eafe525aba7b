/* Algorithm 1 of Yuan and Wang 2026 (auxiliary-based MCMC) on n states, with
 * auxiliary variables that take a small number of values: its transition
 * matrix, and the matrices of the chains with which section 4 of the paper
 * compares it.
 *
 *     draw omega_1 = k ~ P_a,
 *     propose b ~ q_k(a, .),
 *     draw omega_2 ~ P_ab(. | k),
 *     r = pi_b P_b(k) P_ba(omega_2 | k) q_k(b, a) /
 *         [pi_a P_a(k) P_ab(omega_2 | k) q_k(a, b)],
 *     go to b with probability accept(r).
 *
 * The sum of a row of q_k may be less than 1: with the remaining probability
 * the proposal is outside the space and is rejected. */
#pragma once

#include "base/status.h"
#include "theory/finite.h"

#include <stdbool.h>
#include <stddef.h>

/* accept(r) = min(1, r), or r / (1 + r). Both satisfy accept(r) = r accept(1 /
 * r) (proposition 10). */
typedef enum cs_aux_rule { CS_AUX_METROPOLIS, CS_AUX_BARKER } cs_aux_rule;

/* Returns the acceptance probability accept(exp(log_r)). */
double cs_aux_accept(cs_aux_rule rule, double log_r);

typedef struct cs_aux_chain {
    size_t n;
    size_t n1;        /* number of values of omega_1; 1: there is no omega_1 */
    const double *pi; /* [n] stationary probabilities, all positive
                         [borrowed] */
    const double *f;  /* [n] function whose autocorrelation time is computed
                         [borrowed] */
    cs_aux_rule rule;
    bool inexact; /* true: omega_2 is not drawn from P_ab */
    void *self;
    /* Multiplies p[a] by P_a(k) for each of the n states a. NULL if there is no
     * omega_1. */
    void (*first)(const void *self, size_t k, double *p);
    /* Fills q[n][n] with q_k(a, b). */
    void (*propose)(const void *self, size_t k, double *q);
    /* Returns the mean of accept(exp(log_rho) P_ba(omega_2 | k) / P_ab(omega_2
     * | k)) over omega_2, as the chain draws it. If `accept` is NULL, omega_2
     * is omega_1 (case 2), and the mean is accept(exp(log_rho)). */
    double (*accept)(const void *self, size_t k, size_t a, size_t b,
                     cs_aux_rule rule, double log_rho);
    /* Returns the Kullback-Leibler divergence of P_ba(. | k) from P_ab(. | k).
     * This pointer is NULL if `accept` is NULL. */
    double (*kl)(const void *self, size_t k, size_t a, size_t b);
    void (*destroy)(void *self); /* frees self; NULL: nothing to free */
} cs_aux_chain;

/* Frees the memory of a chain; a zeroed chain is allowed. */
void cs_aux_chain_free(cs_aux_chain *c);

/* The chains that are compared: algorithm 1; Metropolis within Gibbs, which is
 * case 2 of algorithm 1; the ideal chain, which is Metropolis-Hastings with the
 * mean of q_k as proposal; and the chain of theta in the Gibbs sampler, b ~
 * pi(. | omega_1). */
typedef enum cs_aux_kind {
    CS_AUX,
    CS_WITHIN,
    CS_IDEAL,
    CS_GIBBS,
    CS_AUX_KINDS
} cs_aux_kind;

enum { CS_AUX_POWERS = 32 };

typedef struct cs_aux_theory {
    size_t n, n1;
    double *pi;              /* [n] stationary probabilities of the target
                                [own] */
    double *P[CS_AUX_KINDS]; /* [n][n] transition matrices of the chains
                                [own] */
    double *overlap;         /* [n][n] inf_k 1 - d_TV(P_ab(. | k), P_ba(. | k))
                                [own] */
    double *kl;              /* [n][n] sup_k d_KL(P_ab || P_ba) [own] */
    double *kl_mean;         /* [n][n] sup_k of the mean of d_KL in both
                                directions [own] */
    bool inexact;
    double imbalance;                /* result of cs_chain_imbalance for CS_AUX
                                        with respect to pi */
    cs_chain_gap gap[CS_AUX_KINDS];  /* spectral gaps; NaN for CS_AUX if the
                                        chain is inexact */
    double time[CS_AUX_KINDS];       /* integrated autocorrelation time of f */
    double acceptance[CS_AUX_KINDS]; /* share of accepted proposals in
                                        stationarity; NaN for CS_GIBBS */
    double lost;                     /* largest value of 1 - sum_k P_a(k) over
                                        the states a */
    /* Results given omega_1, which only cs_aux_theory_make(..., true) computes:
     * the smallest gap of P_MHG,k over k, and alpha_t for t = 2, 4, 6 ... For
     * each t, alpha_t is the largest value of sum_k |P_MHG,k|^t P_a(k) over the
     * states a. */
    bool given;
    cs_chain_gap least;
    double alpha[CS_AUX_POWERS];
    double *stationary; /* [n] stationary distribution of CS_AUX; equal to pi if
                           the chain is exact [own] */
    double bias;        /* total variation distance between stationary and pi */
} cs_aux_theory;

/* Computes the theory of a chain. Calls accept n1 n^2 times and, with `given`,
 * solves n1 eigenvalue problems. May fail with CS_MEMORY, CS_NUMERIC or
 * CS_STOPPED. Not called in hot loops. [own: cs_aux_theory_free] */
cs_status cs_aux_theory_make(const cs_aux_chain *c, bool given,
                             cs_aux_theory *out, cs_error *err);

/* Frees the results; a zeroed struct is allowed. */
void cs_aux_theory_free(cs_aux_theory *t);
