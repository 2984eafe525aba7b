/* Transition matrices of swendsen_wang and wolff on the small targets with
 * bonds, over all sets of bonds that may hold: nothing of src/kernel. */
#pragma once

#include "support/small.h"

#include <stdbool.h>

/* Adds the chances to P[n][n], which is zero; false: another kernel, or a
 * target without bonds. */
bool cluster_matrix(const char *kernel, const points *p, double *P);
