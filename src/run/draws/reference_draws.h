/* Draws of the target that no arm made: its own exact ones, or those of a file
 * that a probe compares with. */
#pragma once

#include "run/arms/spec.h"

typedef struct cs_reference_draws {
    double *x;    /* [n][dim] [own] NULL: none */
    double *logp; /* [n], in the same memory */
    size_t n;
    bool looked, of_file;
    uint64_t epoch; /* of the run when they were computed */
} cs_reference_draws;

/* Computes them once per epoch of the run, because a change of parameters
 * changes the target. At most 2,000 draws and a million numbers; none if users
 * see generated quantities instead of the state. */
void cs_reference_draws_find(cs_reference_draws *d, const cs_run *r);
void cs_reference_draws_free(cs_reference_draws *d);
