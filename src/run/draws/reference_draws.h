/* Draws of the target that no arm made: exact draws, or draws from the file
 * with which a probe compares the arms. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_reference_draws {
    double *x;    /* [n][dim] [own]; NULL: no reference draws */
    double *logp; /* [n], in the same memory as x */
    size_t n;
    bool looked, of_file;
    uint64_t epoch; /* epoch of the run when the draws were made */
} cs_reference_draws;

/* Computes the reference draws once per epoch of the run, since a change of
 * parameters changes the target. Makes at most 2,000 draws, with at most a
 * million numbers in total, and no draws if generated quantities are shown
 * instead of the state. */
void cs_reference_draws_find(cs_reference_draws *d, const cs_run *r);
void cs_reference_draws_free(cs_reference_draws *d);
