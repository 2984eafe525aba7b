/* Distances between samples and between distributions. */
#pragma once

#include <stddef.h>

/* Returns the Kolmogorov-Smirnov distance: the largest difference between the
 * empirical distribution functions of two sorted samples. NaN are last and
 * count as the largest value; ties are handled together. Returns NAN if a
 * sample is empty. */
double cs_ks_two(const double *a, size_t n, const double *b, size_t m);

/* Returns P(D >= distance) for n independent draws; for two samples, pass n m /
 * (n + m). Uses the limiting distribution with Stephens' correction, accurate
 * to 0.01 for n >= 4. */
double cs_ks_p(double distance, double n);

/* Returns half the sum of |p - q| after both are scaled to sum 1, or NAN if one
 * sums to 0. */
double cs_total_variation(const double *p, const double *q, size_t n);

/* Returns the expected total variation of n independent draws from p[bins]
 * (which sums to 1): sqrt(p (1 - p) / (2 pi n)) per bin, at most p. */
double cs_total_variation_floor(const double *p, size_t bins, double n);
