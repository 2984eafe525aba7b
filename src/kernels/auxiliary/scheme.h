/* Describes kernels as instances of algorithm 1 of Yuan and Wang, "Markov chain
 * Monte Carlo without evaluating the target: an auxiliary variable approach"
 * (2026). Covers kernels that redraw their auxiliary variables in each step. */
#pragma once

#include <stddef.h>

typedef struct cs_scheme {
    const char *kernel; /* name of the kernel */
    const char *omega_1, *proposal, *omega_2, *ratio;
} cs_scheme;

/* Returns the scheme of the kernel called `name`, or NULL if it is not an
 * instance of the algorithm. */
const cs_scheme *cs_scheme_of(const char *name);

/* Returns scheme number i, or NULL at the end. */
const cs_scheme *cs_scheme_at(size_t i);

/* Returns the name and the text of part i < CS_SCHEME_PARTS of the scheme; the
 * parts are omega_1, the proposal, omega_2 and the ratio. */
enum { CS_SCHEME_PARTS = 4 };
const char *cs_scheme_part(const cs_scheme *s, size_t i, const char **text);
