/* Draws Poisson numbers from the uniforms of a stream. Kernels that read a
 * Poisson number of rows draw one number per step.
 *
 *   mean < 10   inversion: the smallest k with u < P(K <= k)
 *   else        transformed rejection, PTRS of Hormann, "The transformed
 *               rejection method for generating Poisson random variables"
 *               (1993): two uniforms per try, 1.1 to 1.3 tries on average */
#pragma once

#include "base/memory.h"
#include "rng/stream.h"

#include <math.h>
#include <stdbool.h>

/* Draws by inversion. The search ends at k = 1000, because the probability of
 * larger k is below the precision of a double. */
static inline double cs_poisson_small(double mean, double u)
{
    double p = exp(-mean), sum = p, k = 0;
    while (u >= sum && k < 1000) {
        k++;
        p *= mean / k;
        sum += p;
    }
    return k;
}

typedef struct cs_ptrs {
    double mean, log_mean, a, b, rate, squeeze;
} cs_ptrs;

static inline cs_ptrs cs_ptrs_of(double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean);
    return (cs_ptrs){.mean = mean,
                     .log_mean = log(mean),
                     .a = -0.059 + 0.02483 * b,
                     .b = b,
                     .rate = 1.1239 + 1.1328 / (b - 3.4),
                     .squeeze = 0.9277 - 3.6224 / (b - 2)};
}

/* Tries one proposal with the uniforms u and v. Returns whether its value *k is
 * accepted. */
static inline bool cs_ptrs_try(const cs_ptrs *p, double u, double v, double *k)
{
    double side = u - 0.5, near = 0.5 - fabs(side);
    *k = floor((2 * p->a / near + p->b) * side + p->mean + 0.43);
    if (near >= 0.07 && v <= p->squeeze)
        return true;
    if (*k < 0 || (near < 0.013 && v > near))
        return false;
    double share = v * p->rate / (p->a / (near * near) + p->b);
    int sign; /* output of lgamma_r; lgamma would write to a global variable */
    return log(share) <= *k * p->log_mean - p->mean - lgamma_r(*k + 1, &sign);
}

/* Returns a Poisson variate with the given mean, which is >= 0. Uses the
 * uniform random numbers that the first lane of `s` has for `purpose`; nothing
 * else may use that stream. */
static inline double cs_poisson_count(const cs_streams *s, cs_purpose purpose,
                                      double mean)
{
    enum { SOME = 8 };
    double u[SOME] __attribute__((aligned(CS_ALIGN)));
    cs_streams alone = cs_streams_alone(s, 0);
    cs_fill_uniform(&alone, purpose, SOME, u);
    if (mean < 10)
        return mean > 0 ? cs_poisson_small(mean, u[0]) : 0;
    const cs_ptrs p = cs_ptrs_of(mean);
    double k;
    for (size_t at = 0; !cs_ptrs_try(&p, u[at], u[at + 1], &k);) {
        at += 2;
        if (at < SOME)
            continue;
        at = 0;
        alone.skip += SOME;
        cs_fill_uniform(&alone, purpose, SOME, u);
    }
    return k;
}
