/* Paired comparison of two arms over runs with several seeds, each seed used
 * for both. The effect of a seed on both arms (a common start, common data)
 * cancels in their difference, so its error is smaller than that of two
 * independent means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_paired {
    double mean, error; /* of the differences; error: standard error,
                         * NAN for fewer than 2 */
    size_t n;           /* pairs of finite numbers */
} cs_paired;

/* Computes the moments of x - y over n runs; x and y are strided by `apart`; y
 * NULL: of x only. `logs`: of their logarithms, so that the mean is that of
 * log(x / y). */
cs_paired cs_paired_of(const double *x, const double *y, size_t n, size_t apart,
                       bool logs);

/* Returns the half-width of the interval at `level`, by Student's t with n - 1
 * degrees of freedom. NAN: the error is unknown. */
double cs_paired_reach(const cs_paired *p, double level);
