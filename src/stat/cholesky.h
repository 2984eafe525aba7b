/* Cholesky factors of symmetric matrices. GSL handles small matrices. Work on
 * large matrices stops early if it is cancelled (base/cancellation.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Replaces a[n][n] by the lower triangular matrix L for which a = L L', with
 * zeros above the diagonal. Reads only the lower triangle of a. Returns false,
 * and destroys a, if a is not positive definite, if it has an entry that is not
 * finite, or if the work was cancelled. */
bool cs_cholesky(double *a, size_t n);

/* Replaces L by the full matrix (L L')^-1. Returns false if memory is short or
 * the work was cancelled. */
bool cs_cholesky_invert(double *factor, size_t n);
