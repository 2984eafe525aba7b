/* The partition function of the Ising model on a torus without a field,
 *
 *     Z(k) = sum over all s of exp(k sum_{i~j} s_i s_j),
 *
 * as computed by Kaufman, Crystal statistics II, 1949, in the form of Ferdinand
 * and Fisher, Bounded and inhomogeneous Ising models I, 1969, Eq. 2.1. */
#pragma once

#include <stddef.h>

/* Returns log Z of an n x m torus at k > 0. Unless `mean` is NULL, also sets
 * *mean to the derivative of log Z, which is the mean of the sum over bonds.
 * Both sides must be above 1. Two bonds join the sites along a side of length
 * 2. */
double cs_torus_log_z(double k, size_t n, size_t m, double *mean);
