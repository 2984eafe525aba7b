/* What Pynadath et al. 2024 (acs) and Mohanty et al. (edlp) prove of how fast their
 * samplers come to rest, with the constants computed. Each is as printed; what its
 * proof or a computation says otherwise stands beside it. */
#pragma once

#include "theory/bit_chain.h"

/* acs, lemma 5.3: P(x, y) >= e nu(y), nu ~ exp(balance U), so that (theorem 5.4) the
 * total variation of P^k is at most (1 - e)^k. For step < 1 / (balance M) and a
 * strongly concave U. Theorem 5.5, of a cycle: that of its last step. */
typedef struct cs_minorant_bound {
    bool applies;   /* the assumptions hold */
    double printed; /* log e, e = exp{-(1/(2 step) + balance (M - m / 2)) D^2
                       - |grad U(a)| D}, D the diameter */
    double proof;   /* with 1/step for 1/(2 step), and the last term times
                       the balance, as its proof ends */
} cs_minorant_bound;
cs_minorant_bound cs_bound_dmala(const cs_bit_constants *c, double step,
                                 double balance);

/* edlp, theorem 5.6 and lemma D.9, of edmala: the same with e_gamma. The measure
 * of the lemma has a mass below 1, which the theorem leaves out: `proof` has it,
 * the places of theta_a counted. */
cs_minorant_bound cs_bound_edmala(const cs_bit_constants *c,
                                  const cs_bit_target *t,
                                  const cs_entropic_step *s);

/* edlp, proposition 5.4 and theorem 5.5, of edula: |pi_gamma - pi|_1 <= bias, and
 * the total variation of P^k from pi at most (1 - rate)^k + bias. */
typedef struct cs_edula_bound {
    bool applies;    /* step < 2 / M, which the proof of 5.4 asks for */
    double log_bias; /* log Z + M/4 - 1/(2 step) + (D^2 - t) / (2 eta), D the
                        furthest |x - a|, t the least (x - a).(x' - a') */
    double log_rate; /* (D.3); Phi the largest sum of exp(-|a' - mean|^2 /
                        (2 step_a)) over the places */
} cs_edula_bound;
cs_edula_bound cs_bound_edula(const cs_bit_constants *c, const cs_bit_target *t,
                              const cs_entropic_step *s);
