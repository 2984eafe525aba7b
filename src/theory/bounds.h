/* The bounds of Yuan and Wang 2026 for an auxiliary chain, and the exact values
 * that they bound. Unless noted otherwise, a bound on gaps is a factor c for
 * which Gap(aux) >= c Gap(within). */
#pragma once

#include "theory/auxiliary.h"

/* Returns exp(-1/e), the constant of the improved Bretagnolle-Huber inequality
 * 1 - d_TV >= exp(-1/e) exp(-d_KL) (Gerchinovitz, Menard and Stoltz 2020). */
double cs_bound_constant(void);

typedef struct cs_aux_bounds {
    /* Theorem 1. The smallest ratio p_aux / (bound p_within) over pairs of
     * states, once for the bound by d_TV and once for the bound by d_KL. Both
     * are at least 1 if the theorem holds. */
    double slack_tv, slack_kl;
    /* Lemma 1. The largest p_aux - p_within, and the largest p_within -
     * p_ideal, over pairs of states. Both are at most 0 if the lemma holds. */
    double excess_aux, excess_within;
    double tv; /* largest d_TV over pairs of states */
    /* largest value over pairs of states. For a pair a, b the value is the
     * smallest of d_KL from a to b, d_KL from b to a, and the mean of both */
    double kl;
    double kl_mean;      /* largest mean of d_KL in both directions, over pairs
                            of states */
    double by_tv, by_kl; /* bounds of theorem 2, by d_TV and by d_KL */
    /* Proposition 6: two bounds on Gap(within). within_1: Gap(gibbs) inf_k
     * Gap(P_MHG,k). within_2: the best of (Gap(gibbs) - alpha_t) / t over even
     * t, with absolute gaps. Both are NaN unless cs_aux_theory_make computed
     * the results given omega_1. */
    double within_1, within_2;
} cs_aux_bounds;

cs_aux_bounds cs_aux_bounds_of(const cs_aux_theory *t);

/* Proposition 4, with the paper's lambda. older: exp(-L^2 / (lambda + L)) / 2
 * (Zhang and De Sa 2019). newer: exp(-1/e) exp(-L^2 / (2 lambda)). printed: the
 * larger of the two, as the paper states it. sharper: exp(-1/e) (1 + L /
 * lambda)^(-L/2), an earlier bound in the proof, which then uses log(1 + x) <=
 * x. */
typedef struct cs_bounds {
    double older, newer, printed, sharper;
} cs_bounds;
cs_bounds cs_bounds_poisson(double size, double lambda);

/* Proposition 5. older: exp(-1/chi - 2 sqrt(log 2 / chi)) (Zhang, Cooper and De
 * Sa 2020). newer: exp(-1/e) exp(-1 / (2 chi)), as the paper states it.
 * sharper: exp(-1/e) (1 + 1 / (chi C M))^(-C M / 2) for C M at most `size`,
 * from the proof before it uses log(1 + x) <= x. */
cs_bounds cs_bounds_tuna(double size, double chi);

/* Proposition 3, for omega with probabilities p[n][values]. Returns the largest
 * epsilon delta over delta in (0, 1), where epsilon = inf over pairs a != b of
 * P_b{p_a > delta p_b}. */
double cs_bound_exchange(const double *p, size_t n, size_t values);
