/* Belief propagation, and focusing belief propagation (fBP), on a perceptron with
 * weights of -1 or 1: Baldassi, Borgs, Chayes, Ingrosso, Lucibello, Saglietti and
 * Zecchina, "Unreasonable effectiveness of learning neural networks: from accessible
 * states and robust ensembles to basic algorithmic schemes" (2016). No Markov chain: a message
 * passing that settles.
 *
 * Pattern m asks for s_m = label_m sum_i input_mi w_i > 0. Its message to weight i is
 *
 *     u_mi = 1/2 log [P(s_m > 0 | w_i = 1) / P(s_m > 0 | w_i = -1)],
 *
 * the other weights independent with magnetisations tanh(H_j - u_mj), where H_j is the sum
 * of all fields at j. Here the law of the sum is exact, by its counts, where the
 * paper has a Gaussian one. fBP is belief propagation on y replicas of the perceptron,
 * each weight of which is coupled by `focus` to a reference, all replicas alike: H_i
 * has one more field,
 *
 *     f_i = atanh{ tanh(focus) tanh[ (y - 1) atanh( tanh(focus) tanh(sum_m u_mi) ) ] }.
 *
 * At focus 0 or y = 1 it is belief propagation, which is exact on a tree: a single
 * pattern. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CS_FOCUS_INPUTS = 1001, CS_FOCUS_PATTERNS = 4096 };

/* Inputs and labels are -1 or 1. [borrowed] */
typedef struct cs_patterns {
    size_t inputs, patterns;
    const double *input; /* [patterns][inputs] */
    const double *label; /* [patterns] */
} cs_patterns;

typedef struct cs_focus_plan {
    const double *focus; /* [n] gamma, one after another [borrowed] */
    size_t n;
    double replicas;  /* y, at least 1 */
    double error;     /* the weight of a pattern that is not met, 0 to 1 */
    double damping;   /* the share of an old message that stays, 0 to 1 */
    double tolerance; /* settled: no magnetisation changes by more in a round */
    size_t rounds;    /* at most, for each focus */
    uint64_t seed;    /* of the small fields that messages start with */
} cs_focus_plan;

/* After one focus. */
typedef struct cs_focus_step {
    size_t rounds;
    double change; /* of a magnetisation in the last round */
    size_t
        errors;  /* patterns that the signs of the magnetisations do not meet */
    double size; /* mean size of a magnetisation */
} cs_focus_step;

/* How many patterns the weights w[inputs], by their signs, do not meet. */
size_t cs_pattern_errors(const cs_patterns *p, const double *w);

/* magnetisation[inputs] and step[n]. Time patterns inputs^2 a round. CS_RANGE:
 * too large, or entries that are not -1 or 1, counted from 1. CS_MEMORY. Cold. */
cs_status cs_focus(const cs_patterns *p, const cs_focus_plan *plan,
                   double *magnetisation, cs_focus_step *step, cs_error *err);
