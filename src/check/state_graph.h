/* Directed graph of the observed steps between states. States that can be
 * reached from each other are merged into one part (strongly connected
 * component) while steps are added. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_state_graph {
    uint32_t *part; /* [states] index of the part to which each state belongs
                     * [own] */
    size_t states, parts;
    uint64_t *edge; /* [edges] steps between parts: from << 32 | to [own] */
    size_t edges,
        capacity;   /* capacity: capacity of `edge`. After cs_state_graph_merge
                           the edges are sorted and unique, and they form no
                           cycle */
    uint32_t *work; /* scratch of the merge [own] */
} cs_state_graph;

/* Creates the graph, with each state in a separate part. Returns false if
 * memory is exhausted. */
bool cs_state_graph_open(cs_state_graph *g, size_t states);
void cs_state_graph_close(cs_state_graph *g);

/* Adds an observed step from state a to state b. Returns false if memory is
 * exhausted. */
bool cs_state_graph_add(cs_state_graph *g, size_t a, size_t b);

/* Merges the states of each cycle (Tarjan's strongly connected components). */
void cs_state_graph_merge(cs_state_graph *g);
