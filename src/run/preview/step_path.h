/* The points evaluated by the next step of a chain. */
#pragma once

#include "run/arms/spec.h"

/* Makes the next step on a copy of the chain. Writes the points at which the
 * target is evaluated, as generated quantities, to point[capacity][shown]. *n
 * is the number of points, of which the first `capacity` are stored. end[shown]
 * is the new state. Changes no chain and is not counted as work. Returns false
 * if the chain has stopped, if the step may run functions of a script, or if
 * memory runs out. */
bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t capacity,
                 double *point, size_t *n, double *end);
