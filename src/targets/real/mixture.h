/* The data of a target of type mixture, for code that reads these data. */
#pragma once

#include "target/target.h"

#include <string.h>

typedef struct cs_mixture {
    size_t n;       /* number of components */
    double *means;  /* [n][dim] means of the components */
    double *weight; /* [n] weights of the components, which sum to 1 */
    double *sd;     /* [n] standard deviations of the components */
    double *height; /* [n] log densities at the means: log w_k - d log(s_k
                       sqrt(2 pi)) */
    double *rate;   /* [n] precisions 1 / s_k^2 */
    double *mean, *variance;
    double *across; /* [2 + dim][whole] heights, rates, and means by coordinate,
                       for the evaluation of a single chain with components in
                       the lanes */
    size_t whole;   /* n padded to whole vectors; padding has weight 0 */
} cs_mixture;

/* Returns the mixture. Returns NULL if the target has another type, or has
 * generated quantities. [borrowed] */
static inline const cs_mixture *cs_mixture_of(const cs_target *t)
{
    bool is = strcmp(t->type->name, "mixture") == 0 && !t->outputs.n;
    return is ? (const cs_mixture *)t->self : NULL;
}
