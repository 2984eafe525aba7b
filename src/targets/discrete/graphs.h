/* The graphs of targets: read from a file, or random. */
#pragma once

#include "base/param.h"
#include "data/edges.h"

/* The first parameter rows of targets on graphs, in this order. */
enum { CS_GRAPH_FILE, CS_GRAPH_VERTICES, CS_GRAPH_DEGREE, CS_GRAPH_SEED };

/* clang-format off */
#define CS_GRAPH_ROWS                                                          \
    [CS_GRAPH_FILE] = {.name = "file", .kind = CS_PARAM_TEXT,                  \
        .flags = CS_PARAM_FIXED | CS_PARAM_PATH,                               \
        .help = "path of a file that contains the graph (G-set, Biq Mac, " \
                "DIMACS, QUBO or MatrixMarket); without it, a random graph " \
                "is used"},                   \
    [CS_GRAPH_VERTICES] = {.name = "vertices", .kind = CS_PARAM_INT,           \
        .flags = CS_PARAM_FIXED, .min = 2, .max = 1 << 16, .def = 32,          \
        .help = "vertices of a random graph"},                                 \
    [CS_GRAPH_DEGREE] = {.name = "degree", .kind = CS_PARAM_REAL,              \
        .flags = CS_PARAM_FIXED, .min = 0, .max = 1 << 16, .def = 4,           \
        .help = "mean number of neighbours of a vertex in a random graph"},       \
    [CS_GRAPH_SEED] = {.name = "seed", .kind = CS_PARAM_INT,                   \
        .flags = CS_PARAM_FIXED, .min = 0, .max = 1e9, .def = 1,               \
        .help = "seed of a random graph"}
/* clang-format on */

/* Returns the graph given by these parameters: a graph from a file, or a random
 * graph with weights 1. In the random graph each pair of vertices is joined
 * with the same probability (Erdos and Renyi). [own, cs_edges_free] */
cs_status cs_graph_given(const cs_value *values, cs_edges *out, cs_error *err);
