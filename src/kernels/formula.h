/* What a kernel does in a step, as the papers write it, and what they call the
 * parts of its log acceptance ratio. x' is the proposal, x the state before. */
#pragma once

#include <stdbool.h>

/* A part that has no name is 0 of every step of the kernel. ASCII; `~` stands
 * on both sides of what a ratio is rid of. */
typedef struct cs_formula {
    const char *kernels; /* whose it is: names, a blank between two */
    const char *move;    /* how x' comes to be, or the new state */
    const char *ratio;   /* log a =; NULL: there is no accept step */
    const char *logp;    /* info.logp_change */
    const char *aux;     /* info.log_aux */
    const char *back;    /* info.log_q_back */
    const char *forward; /* less info.log_q_forward */
    /* NULL, or the parameter of which the noise of a move is a factor and the
     * drift a factor of its square ("step"), or the noise of its root and the
     * drift of itself ("rate"). */
    const char *scale;
    bool carried; /* the velocity adds a part that depends on neither */
    bool turned;  /* the gradient at x, with which the kernel's memory begins,
                     chooses the sign of each coordinate's noise */
    /* NULL, or the parameter that is the variance of an auxiliary variable about
     * x: its log density given x is in back and forward. */
    const char *coupled;
    /* Of a ladder: the ratio of a swap or of a change of temperature, and what
     * its parts are called (cs_swap_note's `tempered` and `rest`; the second
     * NULL: it has one part). */
    const char *swap, *swap_energies, *swap_rest;
} cs_formula;

/* That of the kernel called `name`; of one in a wrapper that decides, the
 * wrapper's, in another that of the kernel inside, whose change of log p is then
 * times an inverse temperature: *tempered (NULL allowed). NULL: not known, as of
 * a script's kernel. */
const cs_formula *cs_formula_of(const char *name, bool *tempered);

/* That of the ladder of the kernel called `name`, with `swap`; NULL: it has
 * none. */
const cs_formula *cs_formula_of_swaps(const char *name);
