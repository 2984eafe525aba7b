/* Inside of graphs: how the operations make their nodes. */
#pragma once

#include "expr/graph.h"

/* Keeps the first failure; always 0. */
cs_node cs_graph_fault(cs_graph *g, cs_status status);

/* The node that is like `n` with these arguments: an old one or a new. */
cs_node cs_graph_intern(cs_graph *g, cs_graph_node n, const cs_node *args);
/* The same with two arguments and no `extra`. */
cs_node cs_graph_intern_two(cs_graph *g, cs_op op, size_t size, cs_node a,
                            cs_node b);

/* The number of the constant v[rows][cols], copied, or of an equal one. */
bool cs_graph_intern_constant(cs_graph *g, const double *v, size_t rows,
                              size_t cols, uint32_t *number);

static inline bool cs_graph_is_data(const cs_graph *g, cs_node a)
{
    return g->nodes[a].op == CS_OP_DATA;
}

/* Element i of DATA; of a number, whatever i, the number. */
double cs_graph_element(const cs_graph *g, cs_node a, size_t i);

/* Node n of `from` in g, its arguments being copy[] of theirs; part has room
 * for them. */
cs_node cs_graph_copy_node(cs_graph *g, const cs_graph *from, cs_node n,
                           const cs_node *copy, cs_node *part);
