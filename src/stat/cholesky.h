/* Cholesky factors of symmetric matrices: small ones by GSL; the work on large
 * ones is given up when patience (base/cancellation.h) is over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* a[n][n], of which the lower triangle is read, becomes L of a = L L', with
 * zeros above the diagonal. False if a is not positive definite, or a number
 * in it not finite, or it was given up: a is then destroyed. */
bool cs_cholesky(double *a, size_t n);

/* L becomes (L L')^-1, whole. False: no memory, or given up. */
bool cs_cholesky_invert(double *factor, size_t n);
