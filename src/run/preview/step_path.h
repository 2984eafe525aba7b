/* The points that the next step of a chain evaluates. */
#pragma once

#include "run/arms/spec.h"

/* Makes the next step on a copy of the chain. Returns the points at which the
 * target is evaluated, point[room][shown], as generated quantities; their
 * number *n, of which the first `room` are kept; and the chain's new state,
 * end[shown]. Changes no chain and counts as no work. False: the chain has
 * stopped, the step may run a script's own functions, or out of memory. */
bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t room,
                 double *point, size_t *n, double *end);
