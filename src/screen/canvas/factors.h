/* The factors of a step's acceptance ratio, named as in the kernel's
 * formula. */
#pragma once

#include "base/count.h"
#include "kernel/decision.h"
#include "screen/canvas/canvas.h"

typedef struct cs_factors {
    const char *kernel; /* name of the kernel */
    const cs_decision *step;
    /* estimate: the kernel uses an estimate of log p; no_logp: it computes no
     * log p */
    bool estimate, no_logp;
    /* acceptance ratio from the exact log p; NAN: not known */
    double true_ratio;
    /* log p(a|x) of the auxiliary variable a that is coupled to x, at the state
     * and at the proposal: a separate part of log q. NAN: no such variable */
    double coupled, coupled_there;
    bool brief; /* only the sum of the factors and the decision */
} cs_factors;

/* Draws the formula of the kernel's log acceptance ratio in at most `lines`
 * lines. Unless `ratio` is true, also draws the formula of the kernel's move.
 * Returns the number of lines used. Returns 0 if the formula does not fit or is
 * not known. */
int cs_draw_formula(const cs_area *a, int y, const char *kernel, bool ratio,
                    int lines);

/* Draws the text of a formula from line y on, if the text fits in `lines`.
 * Returns the number of lines used. */
int cs_draw_formula_text(const cs_area *a, int y, const char *text, int lines);

/* Formats a logarithm to three decimal places, or a large logarithm to three
 * digits. NaN is written "NaN", whatever its sign bit. */
cs_number cs_nats(double value);

/* Draws one factor: its name, its value, and a signed bar from the middle. */
void cs_draw_factor(const cs_area *a, int y, const char *name, double value);

/* Draws the factors from the top, then the decision. Returns the number of
 * lines used. */
int cs_draw_factors(const cs_area *a, const cs_factors *f);

/* Returns true if the kernel with this name has an accept step. Also returns
 * true if the kernel is unknown, such as a kernel of a script. A cycle or a
 * mixture has none: its members decide. */
bool cs_has_accept_step(const char *kernel);

/* Returns the outcome of the step as a glyph and words; `accepts`: the kernel
 * has an accept step. */
const char *cs_outcome(const cs_decision *d, bool accepts, cs_role *role);
