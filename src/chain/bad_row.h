/* The row of the data that makes a state impossible. */
#pragma once

#include "target/eval.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the first row whose term is not finite in lane `lane` of x[dim][lanes], of a
 * target that has rows; false if all are finite, or it has none. Counts as
 * work. Cold. */
bool cs_bad_row(cs_eval *e, const double *x, size_t lane, size_t *row);
