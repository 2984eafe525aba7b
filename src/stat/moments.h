/* Means, spreads and quantiles of an array. */
#pragma once

#include <stddef.h>

/* Factor that makes the median of |x - median| of a normal distribution its
 * standard deviation, as in R. */
#define CS_MAD_FACTOR 1.4826

/* Returns the mean, or NAN for an empty array. Uses two passes, so that a large
 * offset of the values does not reduce the accuracy. */
double cs_mean(const double *x, size_t n);

/* Returns the variance with divisor n - 1, or NAN for fewer than two values. */
double cs_variance(const double *x, size_t n);

/* Sorts in ascending order; NaN values are last. */
void cs_sort(double *x, size_t n);

/* Returns the quantile at p in [0, 1] of x[n] in any order, type 7 of Hyndman
 * and Fan, "Sample quantiles in statistical packages" (1996): the default of R
 * and NumPy. Returns NAN if x is empty or has a NaN, or if memory is short. */
double cs_quantile(const double *x, size_t n, double p);

/* Returns the quantile of cs_quantile for an array that is already sorted. */
double cs_quantile_of(const double *sorted, size_t n, double p);
