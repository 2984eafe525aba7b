/* Draws of the target that no arm made: exact ones of its own, or those of a file
 * that a probe compares with. */
#pragma once

#include "run/run.h"

typedef struct cs_reference_draws {
    double *x;    /* [n][dim] [own] NULL: there are none */
    double *logp; /* [n], in the same memory */
    size_t n;
    bool looked, of_file;
    uint64_t epoch; /* of the run when they were looked for */
} cs_reference_draws;

/* Finds them once in an epoch of the run: a target whose parameters are changed has
 * others. At most 2,000 draws and a million numbers; none where users see generated
 * quantities in place of the state. */
void cs_reference_draws_find(cs_reference_draws *d, const cs_run *r);
void cs_reference_draws_free(cs_reference_draws *d);
