/* Finds the row of the data that makes a state impossible. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the first row whose term is not finite in lane `lane` of x[dim][lanes],
 * for a target with rows. Returns false if all terms are finite or the target
 * has no rows. The evaluations count as work. Not performance-critical. */
bool cs_bad_row(cs_eval *e, const double *x, size_t lane, size_t *row);
