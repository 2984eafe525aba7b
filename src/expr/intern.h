/* Internals of graphs: creation of nodes. */
#pragma once

#include "expr/graph.h"

/* Records a failure as the status of the graph, if no failure was recorded
 * before; returns 0. */
cs_node cs_graph_fault(cs_graph *g, cs_status status);

/* Returns the node equal to `n` with these arguments, existing or new. */
cs_node cs_graph_intern(cs_graph *g, cs_graph_node n, const cs_node *args);
/* Returns the node with two arguments and no `extra`, existing or new. */
cs_node cs_graph_intern_two(cs_graph *g, cs_op op, size_t size, cs_node a,
                            cs_node b);

/* Finds the index of the constant v[rows][cols]; copies the constant if no
 * equal constant exists. */
bool cs_graph_intern_constant(cs_graph *g, const double *v, size_t rows,
                              size_t cols, uint32_t *number);

static inline bool cs_graph_is_data(const cs_graph *g, cs_node a)
{
    return g->nodes[a].op == CS_OP_DATA;
}

/* Returns element i of DATA; DATA of one number has the same value for all
 * i. */
double cs_graph_element(const cs_graph *g, cs_node a, size_t i);

/* Sets bounds of all elements of node n, for all states. Returns false and sets
 * g's status if out of memory. */
bool cs_graph_bounds(cs_graph *g, cs_node n, double *low, double *high);

/* Returns the argument of PACK n that contains its element *at, and makes *at
 * the number of the element within the argument. */
static inline cs_node cs_graph_part_of(const cs_graph *g, cs_node n, size_t *at)
{
    const cs_graph_node *pack = &g->nodes[n];
    uint32_t i = 0;
    if (pack->count == pack->size) {
        i = (uint32_t)*at;
        *at = 0;
    }
    while (*at >= g->nodes[g->args[pack->first + i]].size)
        *at -= g->nodes[g->args[pack->first + i++]].size;
    return g->args[pack->first + i];
}

/* Copies node n of `from` into g. copy[] gives, for each argument of n, its
 * copy in g; `part` is scratch memory for the arguments. */
cs_node cs_graph_copy_node(cs_graph *g, const cs_graph *from, cs_node n,
                           const cs_node *copy, cs_node *part);

/* A function that copies one node, as cs_graph_copy_node does. */
typedef cs_node cs_graph_copier(cs_graph *g, const cs_graph *from, cs_node n,
                                const cs_node *copy, cs_node *part);

/* Copies roots[n] to out[n], as cs_graph_copy_all does, by a function that
 * copies one node. */
bool cs_graph_copy_by(cs_graph *g, const cs_graph *from, const cs_node *roots,
                      size_t n, cs_node x, cs_graph_copier *one, cs_node *out);
