/* The partition function of the Ising model on a torus without a field,
 *
 *     Z(k) = sum over all s of exp(k sum_{i~j} s_i s_j),
 *
 * as computed by Kaufman, Crystal statistics II, 1949, in the form of Ferdinand
 * and Fisher, Bounded and inhomogeneous Ising models I, 1969, Eq. 2.1. */
#pragma once

#include <stddef.h>

/* Returns log Z of an n x m torus at k > 0 and, unless `mean` is NULL, sets
 * *mean to its derivative, which is the mean of the sum over bonds. Both sides
 * must be above 1. Sites along a side of length 2 are joined by two bonds. */
double cs_torus_log_z(double k, size_t n, size_t m, double *mean);
