/* Interval enclosures of an expression: an interval for each element of each
 * node, computed from the intervals of its arguments. */
#pragma once

#include "expr/interval.h"

typedef struct cs_enclosure {
    const cs_graph *g;  /* [borrowed] */
    size_t *first;      /* [own] [n_nodes] index of a node's first element */
    cs_interval *value; /* [own] of all nodes; the caller sets the input's */
    cs_interval *work;  /* [own] scratch for the largest node */
} cs_enclosure;

/* Allocates intervals for all nodes and fills in those of constants. The graph
 * must not grow while it is used. [own, cs_enclosure_free] False: out of
 * memory. Cold. */
bool cs_enclosure_create(const cs_graph *g, cs_enclosure *out);
void cs_enclosure_free(cs_enclosure *e);

/* Returns the elements of node n, as last enclosed. */
static inline cs_interval *cs_enclosure_of(const cs_enclosure *e, cs_node n)
{
    return e->value + e->first[n];
}

/* Encloses node n, whose arguments must be enclosed. */
void cs_enclosure_run(cs_enclosure *e, cs_node n);

/* True if node n, as enclosed, may be discontinuous: a comparison, or a choice
 * by one, with an undecided outcome. */
bool cs_enclosure_may_jump(const cs_enclosure *e, cs_node n);
