/* The formula of a kernel's step in the notation of the papers, with names for
 * the parts of the log acceptance ratio. x' is the proposal, x the state before
 * the step. */
#pragma once

#include <stdbool.h>

/* The formula of one or more kernels, in ASCII. A part without a name is 0 in
 * every step. `~` encloses a term that cancels in a ratio. */
typedef struct cs_formula {
    const char *kernels; /* names of the kernels, separated by spaces */
    const char *move;    /* formula of x', or of the new state if there is no
                            accept step */
    const char *ratio;   /* formula of log a; NULL: the kernel has no accept
                            step */
    const char *logp;    /* name of info.logp_change */
    const char *aux;     /* name of info.log_aux */
    const char *back;    /* name of info.log_q_back */
    const char *forward; /* name of minus info.log_q_forward */
    /* The parameter that scales a move, or NULL. "step": the noise is
     * proportional to it and the drift to its square. "rate": the noise is
     * proportional to its square root and the drift to it. */
    const char *scale;
    bool carried; /* true: the velocity adds a term that does not depend on the
                     gradient or the noise */
    bool turned;  /* true: the gradient at x, stored at the start of the
                     kernel's memory, chooses the sign of the noise in each
                     coordinate */
    /* The parameter that is the variance of an auxiliary variable about x, or
     * NULL. The log density of the variable given x is a part of `back` and
     * `forward`. */
    const char *coupled;
    /* For a ladder: the ratio of a swap or of a change of temperature, and the
     * names of its parts (`tempered` and `rest` of cs_swap_note; swap_rest is
     * NULL if there is only one part). */
    const char *swap, *swap_energies, *swap_rest;
} cs_formula;

/* Returns the formula of the kernel called `name`. For a wrapper that decides
 * by log p it is the wrapper's; for other wrappers it is the inner kernel's,
 * with the change of log p multiplied by an inverse temperature: then sets
 * *tempered (NULL allowed). Returns NULL if the kernel is unknown or defined in
 * a script. */
const cs_formula *cs_formula_of(const char *name, bool *tempered);

/* Returns the formula with `swap` for the ladder of the kernel called `name`,
 * or NULL if the kernel has no ladder. */
const cs_formula *cs_formula_of_swaps(const char *name);
