/* Loop re-rolling (SLP vectorisation of an unrolled trace): a loop of the
 * script over single elements becomes one operation on vectors. */
#pragma once

#include "expr/graph.h"

/* Returns a graph in which isomorphic numbers are elements of one vector;
 * isomorphic numbers are computed by equal operations from different constants
 * and elements. The root has the value of the root of g, and *v is the new
 * root. If nothing repeats, *out is NULL and the status is CS_OK. [own,
 * cs_graph_destroy] */
cs_status cs_graph_reroll(const cs_graph *g, cs_node root, cs_graph **out,
                          cs_node *v, cs_error *err);

/* ---- internal: isomorphic.c, reroll.c ------------------------------------ */

enum { CS_REROLL_LEAST = 4 /* minimum size of a vector */ };

/* The term factor * node of a sum; `key` orders terms of one shape. */
typedef struct cs_isomorphic_term {
    double factor;
    cs_node node, shape;
    uint32_t key;
} cs_isomorphic_term;

/* The sum of `start` and terms[first .. first + count - 1], which are sorted by
 * shape and key. */
typedef struct cs_isomorphic_sum {
    double start;
    uint32_t first, count;
} cs_isomorphic_sum;

/* Information on a node. */
typedef struct cs_isomorphic_node {
    cs_node shape;        /* 0: the node is not needed, or `inner` */
    uint32_t uses;        /* number of uses by needed nodes */
    uint32_t sum;         /* 1 + the sum's index in `sums`; 0: the node is not a
                           * sum */
    uint32_t place;       /* index among nodes of its shape */
    unsigned char linear; /* kind of linear node: a sum, or a product with a
                           * number; 0: neither */
    bool in_sum;          /* true if a linear node uses it */
    bool inner;           /* true if fused into the only node that uses it */
} cs_isomorphic_node;

/* Two numbers are isomorphic, and have the same shape, if equal operations
 * compute them. The arguments of these operations are numbers, elements of the
 * same vectors, and other values that both numbers use. Sums and differences
 * are fused into the only sum that reads them. A shape is a node of `shapes`;
 * the shape of a sum is a PACK of the shapes of its terms. */
typedef struct cs_isomorphic {
    const cs_graph *g;
    cs_graph *shapes;
    cs_node number_shape;
    cs_isomorphic_node *of; /* [n_nodes] */
    cs_node *list; /* [n_list] needed nodes in order, except `inner` ones and
                    * deferred ones (see cs_isomorphic_is_deferred) */
    size_t n_list;
    uint32_t *first;  /* [n_shapes + 1] index in `member` of each shape's first
                       * node */
    cs_node *member;  /* [n_list] nodes ordered by shape, then by number */
    bool *vectorised; /* [n_shapes] true if the members become a vector */
    size_t n_vectorised;
    cs_isomorphic_sum *sums;
    size_t n_sums, sum_capacity;
    cs_isomorphic_term *terms;
    size_t n_terms, term_capacity;
    cs_isomorphic_term *stack;
    size_t n_stack, stack_capacity;
    cs_node *part;
    size_t part_capacity;
    cs_status status;
} cs_isomorphic;

/* Computes all members of *a for the root. On failure returns false and sets
 * the status. */
bool cs_isomorphic_find(cs_isomorphic *a, cs_node root);
void cs_isomorphic_free(cs_isomorphic *a);

/* Returns true for constants and single elements. Such nodes are copied only
 * where a node reads them directly, since most of them become part of a
 * vector. */
static inline bool cs_isomorphic_is_deferred(const cs_graph_node *n)
{
    return n->op == CS_OP_DATA || (n->op == CS_OP_SLICE && n->size == 1);
}

/* Returns the number of arguments of n. For a log sum exp of a PACK, this is
 * the number of elements of the PACK if they are only a few numbers and no
 * other node uses the PACK. Such a log sum exp is treated like an operation of
 * class MAP. */
uint32_t cs_isomorphic_count(const cs_isomorphic *a, cs_node n);

/* Returns argument k of node n; commuting arguments are ordered by shape. */
cs_node cs_isomorphic_arg(const cs_isomorphic *a, cs_node n, uint32_t k);
