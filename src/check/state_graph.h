/* Which states lead to which: a directed graph of steps, in which states that
 * lead to each other are merged into one part as steps come in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_state_graph {
    uint32_t *part; /* [states] which part a state belongs to [own] */
    size_t states, parts;
    uint64_t *edge;     /* [edges] of parts: from << 32 | to [own] */
    size_t edges, room; /* after cs_state_graph_merge: all steps between
                           parts, sorted, each once; none leads back */
    uint32_t *work;     /* [own] */
} cs_state_graph;

/* Every state is a part of its own. False when out of memory. */
bool cs_state_graph_open(cs_state_graph *g, size_t states);
void cs_state_graph_close(cs_state_graph *g);

/* A step was seen from state a to state b. False when out of memory. */
bool cs_state_graph_add(cs_state_graph *g, size_t a, size_t b);

/* Merges what leads to each other (Tarjan's strongly connected components). */
void cs_state_graph_merge(cs_state_graph *g);
