/* The points that the next step of a chain asks about. */
#pragma once

#include "run/arms/spec.h"

/* The step that a chain is about to make, made on a copy of it: the points at
 * which the target is evaluated on the way, point[room][shown], as they are
 * shown; how many of them there are, *n, of which the first `room` are kept; and
 * where the chain then is, end[shown]. It changes no chain and counts as no work.
 * False: the chain has stopped, the step may run a script's own functions, or
 * out of memory. */
bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t room,
                 double *point, size_t *n, double *end);
