/* A distribution that can be sampled, fitted to the chains of a kernel: a
 * Gaussian or a multivariate t around one chain, or independent sites; both
 * restricted to possible states. Used by laws on targets that have no exact
 * draws.
 */
#pragma once

#include "check/laws.h"

typedef struct cs_cloud {
    cs_target *t;
    size_t dim, values;
    double scale;              /* of real z */
    double freedom;            /* degrees of freedom of t; 0: a Gaussian */
    bool full;                 /* factor is [dim][dim], lower; else [dim] */
    double *mean, *factor, *z; /* real: [LANES][dim], the first is q's */
    double *mass;              /* discrete: [dim][values] */
    double *memory;            /* [own] all of these */
    size_t words;
    cs_check_rng rng;
} cs_cloud;

/* Returns false if out of memory; free q->memory. */
bool cs_cloud_open(cs_cloud *q, cs_target *t, uint64_t seed);

/* Fits the distribution to chains of the kernel in about the given number of
 * seconds; their first steps are dropped. Returns false if out of memory.
 */
bool cs_cloud_lay(cs_cloud *q, cs_check *c, const cs_arm_view *arm,
                  uint64_t seed, double seconds);

/* Fills x[CS_CHECK_LANES][dim] with independent draws among the possible
 * states, and log p of each. All densities are evaluated at once. Only if some
 * states are impossible are they evaluated one by one, from the same random
 * numbers. Returns false if no possible state was found.
 */
bool cs_cloud_draw(cs_cloud *q, double *x, double *logp);

/* Returns log q(x) up to a constant. */
double cs_cloud_log_mass(cs_cloud *q, const double *x);
