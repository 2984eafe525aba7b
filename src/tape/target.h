/* A target whose log density is an expression. */
#ifndef CS_TAPE_TARGET_H
#define CS_TAPE_TARGET_H

#include "model/target.h"
#include "tape/graph.h"

/* The target on `space` with log density `u`, a number of graph g (whose
 * input has the space's dimension). The target takes the graph in any case.
 * [own, cs_target_release] */
cs_status cs_tape_target_create(cs_graph *g, cs_node u, const cs_space *space,
                                cs_target **out, cs_error *err);

/* The graph and log density of such a target; NULL of any other. [borrowed] */
const cs_graph *cs_tape_target_graph(const cs_target *t, cs_node *u);

#endif
