/* A distribution that can be drawn from, laid where chains of a kernel go: a
 * Gaussian or a multivariate t around one of them, or independent sites; both
 * without what is impossible. For laws of targets that have no exact draws. */
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

/* False when out of memory; free q->memory. */
bool cs_cloud_open(cs_cloud *q, cs_target *t, uint64_t seed);

/* Lays it where chains of the kernel go, in about so many seconds; their first
 * steps are dropped. False when out of memory. */
bool cs_cloud_lay(cs_cloud *q, cs_check *c, const cs_arm_view *arm,
                  uint64_t seed, double seconds);

/* x[CS_CHECK_LANES][dim] = independent draws of it among the possible states,
 * with log p of each. All densities are evaluated at once; one after the other,
 * from the same random numbers, only where some places are impossible. False if
 * no possible state was found. */
bool cs_cloud_draw(cs_cloud *q, double *x, double *logp);

/* log q(x) up to a constant. */
double cs_cloud_log_mass(cs_cloud *q, const double *x);
