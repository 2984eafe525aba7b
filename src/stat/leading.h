/* The largest eigenvalues of a symmetric matrix and their eigenvectors, where
 * few of many are wanted: subspaces filtered by Chebyshev polynomials, with the
 * method of Rayleigh and Ritz (Y. Zhou, Y. Saad, M. L. Tiago and J. R.
 * Chelikowsky, Journal of Computational Physics 219, 2006, 172-184). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether so few of n are wanted that it is quicker than all of them. */
bool cs_leading_pays(size_t n, size_t k);

/* The first k eigenvalues of s[n][wide], none of which is negative, the largest
 * first, to value[k], their eigenvectors to vector[k][n]: |s v - value v| <=
 * 1e-12 value[0]. What is wanted of s is on and above its diagonal; the rest is
 * filled in. wide: a multiple of CS_PRODUCT_COLS; what is beyond n is zero.
 * False: they were not found like this, or there was no memory. Cold. */
bool cs_leading(double *s, size_t n, size_t wide, size_t k, double *value,
                double *vector);
