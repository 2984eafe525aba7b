/* Summaries of lists of values, one per chain or coordinate. */
#pragma once

#include <stddef.h>

/* The mean of x[n], `apart` numbers between two; NAN of none. */
double cs_list_mean(const double *x, size_t n, size_t apart);
/* The median, the mean of the middle two of an even number; NAN of none. Sorts
 * the list. */
double cs_list_median(double *x, size_t n);
