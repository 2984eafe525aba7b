/* Which part of algorithm 1 of Yuan and Wang, "Markov chain Monte Carlo without
 * evaluating the target: an auxiliary variable approach" (2026), a kernel's parts
 * are: of kernels that draw their auxiliary variables anew in each step. */
#pragma once

#include <stddef.h>

typedef struct cs_scheme {
    const char *kernel; /* its name */
    const char *omega_1, *proposal, *omega_2, *ratio;
} cs_scheme;

/* That of the kernel called `name`, NULL: it is no instance. */
const cs_scheme *cs_scheme_of(const char *name);

/* Number i, NULL at the end. */
const cs_scheme *cs_scheme_at(size_t i);

/* Its four parts in their order: the name and the text of part i < 4. */
enum { CS_SCHEME_PARTS = 4 };
const char *cs_scheme_part(const cs_scheme *s, size_t i, const char **text);
