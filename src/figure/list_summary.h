/* Summaries of lists of values, one per chain or coordinate. */
#pragma once

#include <stddef.h>

/* Returns the mean of the n values x[0], x[apart], ...; NAN if n is 0. */
double cs_list_mean(const double *x, size_t n, size_t apart);
/* Returns the median (the mean of the middle two if n is even), or NAN if n is
 * 0. Sorts the list. */
double cs_list_median(double *x, size_t n);
