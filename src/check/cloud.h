/* A distribution fitted to the chains of a kernel, from which independent draws
 * are possible: a Gaussian or a multivariate t around one chain, or independent
 * sites. Both are restricted to possible states. Used by laws on targets
 * without exact draws. */
#pragma once

#include "check/laws.h"

typedef struct cs_cloud {
    cs_target *t;
    size_t dim, values;
    double scale;              /* factor by which z is multiplied, for
                                * continuous spaces */
    double freedom;            /* degrees of freedom of the t distribution; 0:
                                  Gaussian */
    bool full;                 /* true: factor is [dim][dim], lower triangular;
                                * false: [dim] */
    double *mean, *factor, *z; /* for continuous spaces. mean: [LANES][dim], row
                                  0 is the mean of q; factor: see `full`; z:
                                  [dim] scratch */
    double *mass;              /* for discrete spaces: [dim][values]
                                  probabilities */
    double *memory;            /* memory of all these arrays [own] */
    size_t words;
    cs_check_rng rng;
} cs_cloud;

/* Prepares q. Returns false if memory is exhausted. Free q->memory
 * afterwards. */
bool cs_cloud_open(cs_cloud *q, cs_target *t, uint64_t seed);

/* Fits the distribution to chains of the kernel, in about the given number of
 * seconds. The first steps of the chains are discarded. Returns false if memory
 * is exhausted. */
bool cs_cloud_lay(cs_cloud *q, cs_check *c, const cs_arm_view *arm,
                  uint64_t seed, double seconds);

/* Fills x[CS_CHECK_LANES][dim] with independent draws of possible states, and
 * logp with their log p. Evaluates all densities together. If some of the
 * states are impossible, evaluates each state separately, with the random
 * numbers of the first attempt. Returns false if no possible state was
 * found. */
bool cs_cloud_draw(cs_cloud *q, double *x, double *logp);

/* Returns log q(x) up to a constant. */
double cs_cloud_log_mass(cs_cloud *q, const double *x);
