/* The formula of a kernel's step, as the papers write it, and their names for
 * the parts of its log acceptance ratio. x' is the proposal, x the state
 * before. */
#pragma once

#include <stdbool.h>

/* A part without a name is 0 in every step of the kernel. ASCII; `~` encloses a
 * term that cancels in a ratio. */
typedef struct cs_formula {
    const char *kernels; /* names of the kernels, separated by blanks */
    const char *move;    /* formula of x', or of the new state */
    const char *ratio;   /* formula of log a; NULL: no accept step */
    const char *logp;    /* name of info.logp_change */
    const char *aux;     /* name of info.log_aux */
    const char *back;    /* name of info.log_q_back */
    const char *forward; /* name of minus info.log_q_forward */
    /* NULL, or the parameter that scales a move: the noise is proportional to
     * it and the drift to its square ("step"), or the noise to its root and the
     * drift to it ("rate"). */
    const char *scale;
    bool carried; /* the velocity adds a term that depends on neither */
    bool turned;  /* the gradient at x, at the start of the kernel's memory,
                     chooses the sign of each coordinate's noise */
    /* NULL, or the parameter that is the variance of an auxiliary variable
     * about x: its log density given x is part of back and forward. */
    const char *coupled;
    /* For a ladder: the ratio of a swap or of a change of temperature, and the
     * names of its parts (cs_swap_note's `tempered` and `rest`; the second
     * NULL: only one part). */
    const char *swap, *swap_energies, *swap_rest;
} cs_formula;

/* Returns the formula of the kernel called `name`: for a wrapper that decides,
 * the wrapper's; for another wrapper, that of the inner kernel, whose change of
 * log p is then multiplied by an inverse temperature: *tempered (NULL allowed).
 * NULL if unknown, as for a script's kernel. */
const cs_formula *cs_formula_of(const char *name, bool *tempered);

/* Returns the formula with `swap` of the ladder of the kernel called `name`, or
 * NULL without a ladder. */
const cs_formula *cs_formula_of_swaps(const char *name);
