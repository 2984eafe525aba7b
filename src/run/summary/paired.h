/* Paired comparison of two arms over runs with several seeds, where each seed
 * is used for both arms. Effects of a seed on both arms (a common start, common
 * data) cancel in the difference, so its error is smaller than for two
 * independent means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_paired {
    double mean, error; /* mean difference; its standard error, NAN if n < 2 */
    size_t n;           /* number of pairs of finite numbers */
} cs_paired;

/* Computes the mean of x - y over n runs, and the error of this mean; if y is
 * NULL, the mean of x. Elements of x and y are `apart` doubles apart. If `logs`
 * is true, computes the mean of log(x / y) instead. */
cs_paired cs_paired_of(const double *x, const double *y, size_t n, size_t apart,
                       bool logs);

/* Returns the half-width of the interval at `level`, by Student's t
 * distribution with n - 1 degrees of freedom. If the error is unknown, returns
 * NAN. */
double cs_paired_reach(const cs_paired *p, double level);
