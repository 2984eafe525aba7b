/* Outputs of a target: the recorded values of a state as an expression of
 * it. */
#pragma once

#include "expr/graph.h"
#include "target/target.h"

/* Makes node y of g, with names[size of y] (copied), the recorded values of the
 * states of t. Takes ownership of the graph in any case. */
cs_status cs_tape_outputs(cs_target *t, cs_graph *g, cs_node y,
                          const char *const *names, cs_error *err);
