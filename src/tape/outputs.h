/* What is shown of a state as an expression of it: a target's outputs. */
#pragma once

#include "expr/graph.h"
#include "target/target.h"

/* Makes node y of g, under the names[size of y] (copied), what is shown of the
 * states of t. Takes the graph in any case. */
cs_status cs_tape_outputs(cs_target *t, cs_graph *g, cs_node y,
                          const char *const *names, cs_error *err);
