/* Means, spreads and quantiles of an array. */
#pragma once

#include <stddef.h>

/* NAN for an empty array. Two passes, so that an offset costs no digits. */
double cs_mean(const double *x, size_t n);

/* With divisor n - 1; NAN below two values. */
double cs_variance(const double *x, size_t n);

/* Sorts upwards; NaN go last. */
void cs_sort(double *x, size_t n);

/* The quantile at p in [0, 1] of x[n] in any order, type 7 of Hyndman and
 * Fan, "Sample quantiles in statistical packages" (1996): the default of R
 * and NumPy. NAN when it is empty, has a NaN, or memory is short. */
double cs_quantile(const double *x, size_t n, double p);

/* The same of x that is sorted. */
double cs_quantile_of(const double *sorted, size_t n, double p);
