/* Algorithm 1 of Yuan and Wang 2026 (auxiliary-based MCMC) on n states, where
 * both auxiliary variables take few values: its transition matrix, and those of
 * the two chains that their section 4 compares it with.
 *
 *     draw omega_1 = k ~ P_a,  propose b ~ q_k(a, .),  draw omega_2 ~ P_ab(. | k),
 *     r = pi_b P_b(k) P_ba(omega_2 | k) q_k(b, a) /
 *         [pi_a P_a(k) P_ab(omega_2 | k) q_k(a, b)],
 *     go to b with probability accept(r).
 *
 * Rows of q_k sum to at most 1: what is missing proposes something outside of
 * the space, and is refused. */
#pragma once

#include "base/status.h"
#include "theory/finite.h"

#include <stdbool.h>
#include <stddef.h>

/* accept(r) = min(1, r), or r / (1 + r): both have accept(r) = r accept(1 / r)
 * (proposition 10). */
typedef enum cs_aux_rule { CS_AUX_METROPOLIS, CS_AUX_BARKER } cs_aux_rule;

/* accept(exp(log_r)). */
double cs_aux_accept(cs_aux_rule rule, double log_r);

typedef struct cs_aux_chain {
    size_t n;
    size_t n1;        /* values of omega_1, 1: there is none */
    const double *pi; /* [n] sums to 1, all positive [borrowed] */
    const double *f;  /* [n] whose autocorrelation time is asked [borrowed] */
    cs_aux_rule rule;
    bool inexact; /* omega_2 is drawn from what is not P_ab */
    void *self;
    /* p[n] = P_a(k) of each state a; NULL: there is no omega_1. */
    void (*first)(const void *self, size_t k, double *p);
    /* q[n][n] = q_k(a, b). */
    void (*propose)(const void *self, size_t k, double *q);
    /* sum over omega_2 of its probability, drawn as the chain draws it, times
     * accept(exp(log_rho) P_ba(omega_2 | k) / P_ab(omega_2 | k)); NULL: omega_2 is
     * omega_1 (case 2), the sum is accept(exp(log_rho)). */
    double (*accept)(const void *self, size_t k, size_t a, size_t b,
                     cs_aux_rule rule, double log_rho);
    /* Kullback-Leibler divergence of P_ba(. | k) from P_ab(. | k); NULL where
     * accept is. */
    double (*kl)(const void *self, size_t k, size_t a, size_t b);
    void (*destroy)(void *self); /* NULL: nothing is owned */
} cs_aux_chain;

/* Frees what an instance owns; a zeroed one is fine. */
void cs_aux_chain_free(cs_aux_chain *c);

/* The chains that are compared: algorithm 1; Metropolis within Gibbs, which is
 * case 2 of it; the ideal chain, Metropolis-Hastings with the mean of q_k; and
 * the theta-chain of the Gibbs sampler, b ~ pi(. | omega_1). */
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
    double *pi;              /* [n] of the target [own] */
    double *P[CS_AUX_KINDS]; /* [n][n] [own] */
    double *overlap;         /* [n][n] inf_k 1 - d_TV(P_ab(. | k), P_ba(. | k))
                                [own] */
    double *kl;              /* [n][n] sup_k d_KL(P_ab || P_ba) [own] */
    double *kl_mean;         /* [n][n] sup_k of the mean of both ways [own] */
    bool inexact;
    double imbalance;                /* of CS_AUX, with respect to pi */
    cs_chain_gap gap[CS_AUX_KINDS];  /* NaN of CS_AUX where it is inexact */
    double time[CS_AUX_KINDS];       /* of f */
    double acceptance[CS_AUX_KINDS]; /* in the long run; NaN of CS_GIBBS */
    double lost;                     /* 1 - sum_k P_a(k), of the worst state */
    /* Given omega_1, with cs_aux_theory_make(..., given): the least gap of
     * P_MHG,k, and alpha_t of t = 2, 4, 6 ...: the largest over a of sum_k
     * |P_MHG,k|^t P_a(k). */
    bool given;
    cs_chain_gap least;
    double alpha[CS_AUX_POWERS];
    double *stationary; /* [n] of CS_AUX: pi, where it is exact [own] */
    double bias;        /* total variation between stationary and pi */
} cs_aux_theory;

/* Time n1 n^2 calls of accept, and with `given` n1 eigenvalue problems. [own:
 * cs_aux_theory_free] CS_MEMORY, CS_NUMERIC, CS_STOPPED. Cold. */
cs_status cs_aux_theory_make(const cs_aux_chain *c, bool given,
                             cs_aux_theory *out, cs_error *err);

/* A zeroed one is fine. */
void cs_aux_theory_free(cs_aux_theory *t);
