/* Interval enclosures of an expression: an interval for each element of each
 * node, computed from the intervals of its arguments. */
#pragma once

#include "expr/interval.h"

typedef struct cs_enclosure {
    const cs_graph *g;  /* [borrowed] */
    size_t *first;      /* [own] [n_nodes] index of a node's first element */
    cs_interval *value; /* [own] intervals of all elements; the caller sets the
                           intervals of the input */
    cs_interval *work;  /* [own] scratch for the largest node */
} cs_enclosure;

/* Allocates intervals for all nodes and sets the intervals of constants. The
 * graph must not grow while the enclosure is used. [own, cs_enclosure_free]
 * Returns false if out of memory. For setup only. */
bool cs_enclosure_create(const cs_graph *g, cs_enclosure *out);
void cs_enclosure_free(cs_enclosure *e);

/* Returns the most recently computed intervals of the elements of node n. */
static inline cs_interval *cs_enclosure_of(const cs_enclosure *e, cs_node n)
{
    return e->value + e->first[n];
}

/* Encloses node n; its arguments must be enclosed already. */
void cs_enclosure_run(cs_enclosure *e, cs_node n);

/* Returns true if an element of node n can be enclosed without the others: the
 * node moves elements, or its operation is elementwise. */
bool cs_enclosure_is_by_element(const cs_graph *g, cs_node n);

/* Encloses element i of such a node; the elements of its arguments that it is
 * computed from must be enclosed already. */
void cs_enclosure_run_element(cs_enclosure *e, cs_node n, size_t i);

/* Returns true if node n may be discontinuous on its current enclosure. This is
 * possible for a comparison whose outcome is undecided, and for a choice by
 * such a comparison. */
bool cs_enclosure_may_jump(const cs_enclosure *e, cs_node n);
