/* A decision by the factors of its acceptance ratio, named as in the formula of
 * the kernel. */
#pragma once

#include "base/count.h"
#include "kernel/decision.h"
#include "screen/canvas/canvas.h"

typedef struct cs_factors {
    const char *kernel; /* its name */
    const cs_decision *step;
    bool estimate, no_logp; /* what the kernel has in place of log p */
    double true_ratio;      /* NAN: not known */
    /* log p(a|x) of the auxiliary variable a that is coupled to x, before the
     * step and at its proposal: a separate part of log q; NAN: other kernels */
    double coupled, coupled_there;
} cs_factors;

/* Draws the formula of the kernel's move (not if `ratio`) and of its log
 * acceptance ratio in at most `lines` lines; returns the lines used: 0 if the
 * formula does not fit or is not known. */
int cs_draw_formula(const cs_area *a, int y, const char *kernel, bool ratio,
                    int lines);

/* Draws the text of a formula from line y if it fits in `lines`; returns the
 * lines used. */
int cs_draw_formula_text(const cs_area *a, int y, const char *text, int lines);

/* Formats a logarithm to three decimal places, a large one to three digits; a
 * NaN is "NaN", whatever its sign bit. */
cs_number cs_nats(double value);

/* Draws one factor: its name, its value, a signed bar from the middle. */
void cs_draw_factor(const cs_area *a, int y, const char *name, double value);

/* Draws the factors from the top, then the verdict; returns the lines used. */
int cs_draw_factors(const cs_area *a, const cs_factors *f);

/* Returns whether the kernel of this name accepts and rejects; true for unknown
 * ones, such as a script's. */
bool cs_has_accept_step(const char *kernel);

/* Returns the outcome of the step as a glyph and words; `accepts`: the kernel
 * has an accept step. */
const char *cs_outcome(const cs_decision *d, bool accepts, cs_role *role);
