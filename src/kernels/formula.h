/* The formula of a kernel's step in the notation of the papers, with names for
 * the parts of the log acceptance ratio. x' denotes the proposal, and x the
 * state before the step. */
#pragma once

#include <stdbool.h>

/* The formula of one or more kernels, in ASCII. A part whose name is NULL is 0
 * in every step. `~` encloses a term that cancels in a ratio. */
typedef struct cs_formula {
    const char *kernels; /* names of the kernels, separated by spaces */
    const char *move;    /* formula of x', or of the new state if there is no
                            accept step */
    const char *ratio;   /* formula of log a; NULL: the kernel has no accept
                            step */
    const char *logp;    /* name of the part info.logp_change */
    const char *aux;     /* name of the part info.log_aux */
    const char *back;    /* name of the part info.log_q_back */
    const char *forward; /* name of the part -info.log_q_forward */
    /* The parameter that scales a move, or NULL. "step": the noise is
     * proportional to this parameter, and the drift to the square of the
     * parameter. "rate": the noise is proportional to the square root of this
     * parameter, and the drift to the parameter. */
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
    /* For a kernel with a ladder. swap: the log ratio of a swap or of a change
     * of temperature. swap_energies and swap_rest: names of the two parts of
     * this ratio, which are `tempered` and `rest` of cs_swap_note. swap_rest is
     * NULL if there is only one part. */
    const char *swap, *swap_energies, *swap_rest;
} cs_formula;

/* Returns the formula of the kernel called `name`. A wrapper that decides by
 * log p has its own formula. For other wrappers the formula is the inner
 * kernel's, with the change of log p multiplied by an inverse temperature;
 * *tempered (NULL allowed) is then set. Returns NULL if the kernel is unknown
 * or defined in a script. */
const cs_formula *cs_formula_of(const char *name, bool *tempered);

/* For a kernel with a ladder, returns the formula whose `swap` describes its
 * swaps. Returns NULL if the kernel called `name` has no ladder. */
const cs_formula *cs_formula_of_swaps(const char *name);
