/* The bounds of Yuan and Wang 2026 on an auxiliary chain, next to what is true of
 * it. Those on gaps are factors c with Gap(aux) >= c Gap(within), or as said. */
#pragma once

#include "theory/auxiliary.h"

/* exp(-1/e), the constant of the improved Bretagnolle-Huber inequality 1 - d_TV
 * >= exp(-1/e) exp(-d_KL) (Gerchinovitz, Menard and Stoltz 2020). */
double cs_bound_constant(void);

typedef struct cs_aux_bounds {
    /* Theorem 1: the least p_aux / (bound p_within) over pairs of states, by d_TV
     * and by d_KL: at least 1 where it holds. */
    double slack_tv, slack_kl;
    /* The largest p_aux - p_within, p_within - p_ideal: at most 0 (lemma 1). */
    double excess_aux, excess_within;
    double tv;           /* sup over pairs of d_TV */
    double kl;           /* sup of min{d_KL, both one-sided ones} */
    double kl_mean;      /* sup of d_KL, the mean of both ways, alone */
    double by_tv, by_kl; /* theorem 2 */
    /* Proposition 6, of Gap(within): Gap(gibbs) inf_k Gap(P_MHG,k), and the best
     * of (Gap(gibbs) - alpha_t) / t, t even, by absolute gaps; NaN unless the
     * theory is `given`. */
    double within_1, within_2;
} cs_aux_bounds;

cs_aux_bounds cs_aux_bounds_of(const cs_aux_theory *t);

/* Proposition 4, with the paper's lambda: exp(-L^2 / (lambda + L)) / 2 (Zhang and
 * De Sa 2019); exp(-1/e) exp(-L^2 / (2 lambda)); the max of both, as printed; and
 * exp(-1/e) (1 + L / lambda)^(-L/2), which its proof has before it uses log(1 + x)
 * <= x. */
typedef struct cs_bounds {
    double older, newer, printed, sharper;
} cs_bounds;
cs_bounds cs_bounds_poisson(double size, double lambda);

/* Proposition 5: exp(-1/chi - 2 sqrt(log 2 / chi)) (Zhang, Cooper and De Sa 2020);
 * exp(-1/e) exp(-1 / (2 chi)), as printed; and, of C M at most `size`, what its
 * proof has before it uses log(1 + x) <= x: exp(-1/e) (1 + 1 / (chi C M))^(-C M /
 * 2). */
cs_bounds cs_bounds_tuna(double size, double chi);

/* Proposition 3, of omega with probabilities p[n][values]: the best epsilon delta
 * over delta in (0, 1), epsilon = inf over pairs a != b of P_b{p_a > delta p_b}. */
double cs_bound_exchange(const double *p, size_t n, size_t values);
