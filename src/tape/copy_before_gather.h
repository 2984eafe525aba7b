/* Copies graphs, and moves elementwise operations before gathers:
 *
 *   f(a[i], c) = f(a, c)[i]
 *
 * for a vector a that is shorter than the index i, and a number c. */
#pragma once

#include "expr/intern.h"

/* A cs_graph_copier: for cs_graph_copy_by. */
cs_graph_copier cs_copy_before_gather;

/* Returns the number x if a is a GATHER that repeats one element x; otherwise
 * 0. */
cs_node cs_graph_broadcast_of(cs_graph *g, cs_node a);
