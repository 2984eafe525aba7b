/* A decision by the factors of its acceptance ratio, under the names that the
 * formula of its kernel gives them. */
#pragma once

#include "base/count.h"
#include "kernel/decision.h"
#include "screen/canvas/canvas.h"

typedef struct cs_factors {
    const char *kernel; /* its name */
    const cs_decision *step;
    bool estimate, no_logp; /* what the kernel has for log p */
    double true_ratio;      /* NAN: not known */
    /* log p(a|x), of the auxiliary variable that is coupled to x, before the step
     * and at its proposal: a part of log q on its own. NAN: of other kernels */
    double coupled, coupled_there;
} cs_factors;

/* The kernel's move, unless `ratio` alone, and its log acceptance ratio, in
 * `lines` lines at most; returns the lines used: 0 where they would not be
 * whole, or nothing is known. */
int cs_draw_formula(const cs_area *a, int y, const char *kernel, bool ratio,
                    int lines);

/* The text of a formula from line y on, within `lines` or not at all; returns the
 * lines used. */
int cs_draw_formula_text(const cs_area *a, int y, const char *text, int lines);

/* A logarithm to three places, of a large one to three digits; a NaN is "NaN",
 * whatever its sign bit. */
cs_number cs_nats(double value);

/* One factor: its name, its value, a signed bar from the middle. */
void cs_draw_factor(const cs_area *a, int y, const char *name, double value);

/* The factors from the top on, then the verdict; returns the lines used. */
int cs_draw_factors(const cs_area *a, const cs_factors *f);

/* Whether the kernel of that name accepts and rejects; one that is not known, as
 * a script's, does. */
bool cs_has_accept_step(const char *kernel);

/* What became of the step, told by a glyph and in words; `accepts`: the kernel
 * has an accept step. */
const char *cs_outcome(const cs_decision *d, bool accepts, cs_role *role);
