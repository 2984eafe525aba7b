/* Draws of the target that were not made by an arm: exact draws, or draws from
 * the file with which a probe compares the arms. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_reference_draws {
    double *x;    /* [n][dim] [own]; NULL: no reference draws */
    double *logp; /* [n_logp] of the first draws, in the same memory as x */
    size_t n, n_logp;
    bool looked, of_file;
    uint64_t generation; /* target's generation when the draws were made */
} cs_reference_draws;

/* Computes the reference draws once, and again after a change of the target's
 * parameters: at most 2,000 draws, with at most a million numbers in total.
 * Evaluates log p for the first n_logp draws. The number n_logp is chosen such
 * that at most 2^25 data terms are evaluated, which takes about 0.1 s. Makes no
 * draws if generated quantities are shown instead of the state. */
void cs_reference_draws_find(cs_reference_draws *d, const cs_run *r);
void cs_reference_draws_free(cs_reference_draws *d);
