/* Splits a term over the rows of a table into three parts: one depends only on
 * the parameters, one only on the data, and one on both. */
#pragma once

#include "expr/graph.h"

/* A split expression. `inner` is the expression as a function of another input:
 * the values of the nodes outer[0][...] of the old graph, followed by the
 * values of the nodes outer[1][...]. */
typedef struct cs_split {
    cs_graph *inner;   /* [own] */
    cs_node *root;     /* [own] [n] nodes of inner */
    cs_node *outer[2]; /* [own] [n_outer[side]] nodes of the old graph */
    size_t n_outer[2];
    size_t size[2]; /* total number of elements of the nodes on each side */
} cs_split;

/* Splits the graph `from`. The first `numbers` elements of its input have equal
 * values for all rows; the other elements are the columns of a row. Side 0
 * consists of nodes that depend only on the first elements. Side 1 consists of
 * the columns. If `columns` is true, side 1 also has nodes that depend only on
 * columns and cost more to compute than to read, except results of SPREAD. */
cs_status cs_graph_split(const cs_graph *from, size_t numbers,
                         const cs_node *roots, size_t n, bool columns,
                         cs_split *out, cs_error *err);
/* Frees the memory of a split; a zeroed one is allowed. */
void cs_split_free(cs_split *s);
