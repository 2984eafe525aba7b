/* Transition matrices of swendsen_wang and wolff on the small targets with
 * bonds. The matrices are sums over all sets of active bonds, computed
 * independently of src/kernel. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* Adds the transition probabilities to P[n][n], which must be zero. Returns
 * false for all other kernels, and for a target without bonds. */
bool cluster_matrix(const char *kernel, const points *p, double *P);
