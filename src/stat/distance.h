/* How far samples are from each other, and probabilities. */
#pragma once

#include <stddef.h>

/* Kolmogorov-Smirnov: the largest distance of the empirical distributions of two
 * samples, sorted upwards, NaN last and taken as the largest value; ties are taken
 * together. NAN when one is empty. */
double cs_ks_two(const double *a, size_t n, const double *b, size_t m);

/* P(D >= distance) for n independent draws, of two samples n m / (n + m):
 * the limit law with Stephens' correction, good to 0.01 from n = 4 on. */
double cs_ks_p(double distance, double n);

/* Half the sum of |p - q| after each is scaled to sum 1; NAN when one sums to
 * nothing. */
double cs_total_variation(const double *p, const double *q, size_t n);

/* What the total variation from p[bins] (which sums to 1) is on average for n
 * independent draws: sqrt(p (1 - p) / (2 pi n)) a bin, at most p. */
double cs_total_variation_floor(const double *p, size_t bins, double n);
