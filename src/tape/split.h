/* Splits a term over the rows of a table into the parts that depend on the
 * parameters alone, on the data alone, and on both. */
#pragma once

#include "expr/graph.h"

/* An expression taken apart: `inner` is the same of another input, which holds
 * the values of the nodes outer[0][...] of the old graph, one after the other,
 * and then those of outer[1][...]. */
typedef struct cs_split {
    cs_graph *inner;   /* [own] */
    cs_node *root;     /* [own] [n] nodes of inner */
    cs_node *outer[2]; /* [own] [n_outer[side]] nodes of the old graph */
    size_t n_outer[2];
    size_t size[2]; /* elements of each side */
} cs_split;

/* The input of `from` is `numbers` elements, the same for all rows, and then
 * the columns of a row. Whatever depends on numbers alone goes out to side 0.
 * Of what depends on columns alone the columns themselves go to side 1, and
 * with `columns` also all that costs more to compute than to read. */
cs_status cs_graph_split(const cs_graph *from, size_t numbers,
                         const cs_node *roots, size_t n, bool columns,
                         cs_split *out, cs_error *err);
/* Frees what a split owns; a zeroed one is fine. */
void cs_split_free(cs_split *s);
