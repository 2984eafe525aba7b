/* Belief propagation, and focusing belief propagation (fBP), on a perceptron
 * with weights of -1 or 1: Baldassi, Borgs, Chayes, Ingrosso, Lucibello,
 * Saglietti and Zecchina, "Unreasonable effectiveness of learning neural
 * networks: from accessible states and robust ensembles to basic algorithmic
 * schemes" (2016). This is message passing to a fixed point, not a Markov
 * chain.
 *
 * Pattern m requires s_m = label_m sum_i input_mi w_i > 0. Its message to
 * weight i is
 *
 *     u_mi = 1/2 log [P(s_m > 0 | w_i = 1) / P(s_m > 0 | w_i = -1)],
 *
 * where the other weights are independent with magnetisations tanh(H_j - u_mj),
 * and H_j is the sum of all fields at weight j. The distribution of the sum is
 * computed exactly, by counts; the paper uses a Gaussian approximation. fBP is
 * belief propagation on y equal replicas of the perceptron. Each weight is
 * coupled by `focus` to a reference, which adds a field to H_i:
 *
 *     f_i = atanh{ tanh(focus)
 *                  tanh[ (y - 1) atanh( tanh(focus) tanh(sum_m u_mi) ) ] }.
 *
 * If the focus is 0 or y = 1, fBP is belief propagation, which is exact for a
 * single pattern (a tree). */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { CS_FOCUS_INPUTS = 1001, CS_FOCUS_PATTERNS = 4096 };

/* Inputs and labels are -1 or 1. [borrowed] */
typedef struct cs_patterns {
    size_t inputs, patterns;
    const double *input; /* [patterns][inputs] inputs, -1 or 1 */
    const double *label; /* [patterns] labels, -1 or 1 */
} cs_patterns;

typedef struct cs_focus_plan {
    const double *focus; /* [n] coupling gamma of each stage, in order
                            [borrowed] */
    size_t n;
    double replicas;  /* number of replicas y, at least 1 */
    double error;     /* weight of an unsatisfied pattern, 0 to 1 */
    double damping;   /* share of the old message in the new message, 0 to 1 */
    double tolerance; /* the rounds stop when no magnetisation changes by more
                       * than this */
    size_t rounds;    /* largest number of rounds for each focus */
    uint64_t seed;    /* seed of the small initial messages */
} cs_focus_plan;

/* Results after one value of focus. */
typedef struct cs_focus_step {
    size_t rounds;
    double change; /* largest change of a magnetisation in the last round */
    size_t errors; /* number of patterns that are not satisfied if each weight
                    * is the sign of its magnetisation */
    double size;   /* mean absolute value of the magnetisations */
} cs_focus_step;

/* Returns the number of patterns that the signs of w[inputs] do not satisfy. */
size_t cs_pattern_errors(const cs_patterns *p, const double *w);

/* Runs the plan. Fills magnetisation[inputs] and step[n]. The time per round is
 * proportional to patterns * inputs^2. Fails with CS_RANGE if the problem is
 * too large or an entry is not -1 or 1 (the message counts entries from 1).
 * Fails with CS_MEMORY if memory runs out. Cold. */
cs_status cs_focus(const cs_patterns *p, const cs_focus_plan *plan,
                   double *magnetisation, cs_focus_step *step, cs_error *err);
