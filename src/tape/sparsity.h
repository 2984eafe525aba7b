/* The terms of a log density (elements of its nodes), and the coordinates that
 * each term depends on (the sparsity pattern). */
#pragma once

#include "expr/graph.h"

/* An element of a node. */
typedef struct cs_element {
    cs_node node;
    uint32_t element;
    double factor;
} cs_element;

typedef struct cs_list {
    void *item;
    size_t n, capacity;
} cs_list;

/* The coordinates that an element depends on, sorted: pool[first] to
 * pool[first + n - 1]. */
typedef struct cs_reads {
    size_t first, n;
    bool known;
} cs_reads;

typedef struct cs_sparsity {
    const cs_graph *g;
    size_t *start;   /* [n_nodes] index in `reads` of each node's first
                      * element */
    cs_reads *reads; /* [elements of all nodes] */
    bool *needed;    /* [elements] true if some term uses the element */
    bool *site;      /* [n_nodes] true if the node reads a discrete
                      * coordinate of a mixed space */
    cs_list pool;    /* uint32_t: coordinates */
    cs_list terms;   /* cs_element */
    cs_list stack;   /* cs_element */
    cs_list guards;  /* cs_node: the conditions without which sums were
                      * expanded */
    cs_list *of;     /* [dim] the terms of each coordinate, as uint32_t */
    size_t budget;   /* number of elements that may still be processed */
    cs_status status;
} cs_sparsity;

/* Returns space for one more item of `size` bytes at the end of a list. If out
 * of memory, returns NULL and sets c's status. */
void *cs_sparsity_push(cs_sparsity *c, cs_list *l, size_t size);

/* Calls `visit` for each element of the arguments of n that element e of n
 * reads. Only this function defines which elements each operation reads. */
typedef void (*cs_visitor)(cs_sparsity *c, cs_node n, uint32_t e, double factor,
                           void *more);
void cs_sparsity_visit(cs_sparsity *c, cs_node n, uint32_t e, cs_visitor visit,
                       void *more);

/* Finds the terms whose sum is the root, up to a condition: in a mixed space, a
 * sum that a condition on real coordinates replaces by -infinity (as in the
 * density of labels with weights) is expanded without its condition. This
 * changes no difference of a discrete coordinate at a state where the condition
 * holds; at all other states log p is -infinity whatever the coordinate. The list
 * `guards` has these conditions. */
void cs_sparsity_find_terms(cs_sparsity *c, cs_node root);

/* Finds the coordinates on which every element of the terms depends, and the
 * terms of each coordinate. Stops when the budget is used up. This happens if
 * nearly every element depends on every coordinate. */
void cs_sparsity_find_reads(cs_sparsity *c);

/* Allocates memory; *elements becomes the number of elements of all nodes.
 * Returns false if out of memory. */
bool cs_sparsity_open(cs_sparsity *c, size_t *elements);
void cs_sparsity_free(cs_sparsity *c);
