/* Enclosures of the values of an expression: an interval of each element of
 * each node, from intervals of what it reads. */
#pragma once

#include "expr/interval.h"

typedef struct cs_enclosure {
    const cs_graph *g;  /* [borrowed] */
    size_t *first;      /* [own] [n_nodes] where a node's elements begin */
    cs_interval *value; /* [own] those of all nodes; of the input, to be set */
    cs_interval *work;  /* [own] room for the largest node */
} cs_enclosure;

/* Room for all nodes; those that are constant are known at once. The graph must
 * not grow while it is used. [own, cs_enclosure_free] False: there is no
 * memory. Cold. */
bool cs_enclosure_create(const cs_graph *g, cs_enclosure *out);
void cs_enclosure_free(cs_enclosure *e);

/* The elements of node n, as they were enclosed last. */
static inline cs_interval *cs_enclosure_of(const cs_enclosure *e, cs_node n)
{
    return e->value + e->first[n];
}

/* Encloses node n, whose arguments are enclosed. */
void cs_enclosure_run(cs_enclosure *e, cs_node n);

/* Whether node n, as it is enclosed, may jump: a comparison, or a choice by one,
 * that may come out either way. */
bool cs_enclosure_may_jump(const cs_enclosure *e, cs_node n);
