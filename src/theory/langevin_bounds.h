/* Bounds of Pynadath et al. 2024 (acs) and Mohanty et al. (edlp) on the
 * convergence of their samplers. The constants of the bounds are computed. Each
 * bound is given as the paper states it. If the proof or a computation gives
 * another value, a corrected value follows. */
#pragma once

#include "theory/bit_chain.h"

/* acs, lemma 5.3: P(x, y) >= e nu(y), nu ~ exp(balance U), so that (theorem
 * 5.4) the total variation distance of P^k is at most (1 - e)^k. Requires step
 * < 1 / (balance M) and a strongly concave U. The bound for a cycle (theorem
 * 5.5) is the bound for its last step. */
typedef struct cs_minorant_bound {
    bool applies;   /* true: the assumptions of the theorem hold */
    double printed; /* log e as the paper states it, e = exp{-(1/(2 step) +
                       balance (M - m / 2)) D^2 - |grad U(a)| D}, where D is the
                       diameter */
    double proof;   /* log e with 1/step instead of 1/(2 step), and with the
                       last term multiplied by balance, as at the end of the
                       proof */
} cs_minorant_bound;
cs_minorant_bound cs_bound_dmala(const cs_bit_constants *c, double step,
                                 double balance);

/* edlp, theorem 5.6 and lemma D.9, for edmala: the bound of theorem 5.4, with e
 * replaced by e_gamma. The measure of the lemma has a total mass below 1, which
 * the theorem leaves out. `proof` includes this mass, computed for the grid of
 * theta_a. */
cs_minorant_bound cs_bound_edmala(const cs_bit_constants *c,
                                  const cs_bit_target *t,
                                  const cs_entropic_step *s);

/* edlp, proposition 5.4 and theorem 5.5, for edula: |pi_gamma - pi|_1 <= bias,
 * and the total variation distance of P^k from pi is at most (1 - rate)^k +
 * bias. */
typedef struct cs_edula_bound {
    bool applies;    /* true: step < 2 / M, which the proof of 5.4 requires */
    double log_bias; /* log Z + M/4 - 1/(2 step) + (D^2 - t) / (2 eta), where D
                        is the largest |x - a| and t the smallest (x - a).(x' -
                        a') */
    double log_rate; /* log of the rate (D.3), where Phi is the largest sum of
                        exp(-|a' - mean|^2 / (2 step_a)) over the grid */
} cs_edula_bound;
cs_edula_bound cs_bound_edula(const cs_bit_constants *c, const cs_bit_target *t,
                              const cs_entropic_step *s);
