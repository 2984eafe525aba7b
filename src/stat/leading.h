/* The largest eigenvalues of a large symmetric matrix and their eigenvectors,
 * if only a few of them are needed. Subspaces are filtered by Chebyshev
 * polynomials, and the Rayleigh-Ritz method is applied to each subspace (Y.
 * Zhou, Y. Saad, M. L. Tiago and J. R. Chelikowsky, Journal of Computational
 * Physics 219, 2006, 172-184). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if finding k of n eigenvectors is faster than finding all n. */
bool cs_leading_pays(size_t n, size_t k);

/* Writes the k largest eigenvalues of s[n][wide], in descending order, to
 * value[k] and their eigenvectors to vector[k][n]: |s v - value v| <= 1e-12
 * value[0]. No eigenvalue of s may be negative. Reads only the entries of s on
 * and above the diagonal, and fills in the entries below. wide must be a
 * multiple of CS_PRODUCT_COLS, with zeros beyond n. Returns false if the method
 * did not converge or memory is short. Not called in hot loops. */
bool cs_leading(double *s, size_t n, size_t wide, size_t k, double *value,
                double *vector);
