/* Outputs of a target: the recorded values, as an expression that depends on
 * the state. */
#pragma once

#include "expr/graph.h"
#include "target/target.h"

/* Sets the recorded values of t to node y of g, with the names names[size of y]
 * (copied). The inputs of the graph are the state and then `noise` random
 * numbers, uniform on (0, 1), which are a function of seed, chain, step and
 * index. Always takes ownership of the graph. */
cs_status cs_tape_outputs(cs_target *t, cs_graph *g, cs_node y, size_t noise,
                          const char *const *names, cs_error *err);
