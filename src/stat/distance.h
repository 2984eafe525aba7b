/* Distances between samples and between distributions. */
#pragma once

#include <stddef.h>

/* Returns the Kolmogorov-Smirnov distance: the largest difference between the
 * empirical distribution functions of two sorted samples. NaN values come last
 * and count as the largest values; equal values count as one place. Returns NAN
 * if a sample is empty. */
double cs_ks_two(const double *a, size_t n, const double *b, size_t m);

/* Returns P(D >= distance) for n independent draws; for two samples, pass n m /
 * (n + m). Uses the limiting distribution with Stephens' correction, accurate
 * to 0.01 for n >= 4. */
double cs_ks_p(double distance, double n);

/* Returns half the sum of |p - q| after p and q are scaled to sum 1, or NAN if
 * p or q sums to 0. */
double cs_total_variation(const double *p, const double *q, size_t n);

/* Returns the expected total variation distance between p[bins], which sums to
 * 1, and n independent draws from p. The distance is the sum over bins of
 * sqrt(p (1 - p) / (2 pi n)), or of p in bins where p is smaller. */
double cs_total_variation_floor(const double *p, size_t bins, double n);
