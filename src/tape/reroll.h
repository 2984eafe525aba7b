/* Loop re-rolling (SLP vectorisation of an unrolled trace): what a loop of the
 * script did to one element after the other becomes one operation on vectors. */
#pragma once

#include "expr/graph.h"

/* A graph with the same root in which isomorphic numbers, those computed alike
 * of other constants and other elements, are elements of one vector; *v is the
 * root there. NULL in *out, and CS_OK, where nothing repeats.
 * [own, cs_graph_destroy] */
cs_status cs_graph_reroll(const cs_graph *g, cs_node root, cs_graph **out,
                          cs_node *v, cs_error *err);

/* ---- inside: isomorphic.c finds what repeats, reroll.c rewrites it -------- */

enum { CS_REROLL_LEAST = 4 /* numbers that make a vector */ };

/* factor * node; `key` puts terms of one shape in order. */
typedef struct cs_isomorphic_term {
    double factor;
    cs_node node, shape;
    uint32_t key;
} cs_isomorphic_term;

/* start + terms[first .. first + count - 1], sorted by shape and key. */
typedef struct cs_isomorphic_sum {
    double start;
    uint32_t first, count;
} cs_isomorphic_sum;

/* What is known of a node. */
typedef struct cs_isomorphic_node {
    cs_node shape;        /* 0: not needed, or inner */
    uint32_t uses;        /* by what the root needs */
    uint32_t sum;         /* 1 + its place in `sums`, 0: no sum */
    uint32_t place;       /* among those of its shape */
    unsigned char linear; /* a sum, or a product with a number */
    bool in_sum;          /* such a one uses it */
    bool inner;           /* it is part of the one that uses it */
} cs_isomorphic_node;

/* Two numbers are isomorphic, and have one shape, if the same operations make them
 * of numbers, of elements of the same vectors and of the same other values.
 * Sums and differences fuse into the one sum that reads them. A shape is a
 * node of `shapes`; that of a sum is a PACK of the shapes of its terms. */
typedef struct cs_isomorphic {
    const cs_graph *g;
    cs_graph *shapes;
    cs_node number_shape;
    cs_isomorphic_node *of; /* [n_nodes] */
    cs_node *list; /* [n_list] what is needed, no part of a sum, and not
                      deferred (see below), in order */
    size_t n_list;
    uint32_t *first;  /* [n_shapes + 1] in `member` */
    cs_node *member;  /* [n_list] by shape, in order */
    bool *vectorised; /* [n_shapes] its members become a vector */
    size_t n_vectorised;
    cs_isomorphic_sum *sums;
    size_t n_sums, room_sums;
    cs_isomorphic_term *terms;
    size_t n_terms, room_terms;
    cs_isomorphic_term *stack;
    size_t n_stack, room_stack;
    cs_node *part;
    size_t room_part;
    cs_status status;
} cs_isomorphic;

/* All of the above for the root; false, and the status, on failure. */
bool cs_isomorphic_find(cs_isomorphic *a, cs_node root);
void cs_isomorphic_free(cs_isomorphic *a);

/* Constants and single elements: written only where something reads them by
 * themselves, for mostly they become part of a vector. */
static inline bool cs_isomorphic_is_deferred(const cs_graph_node *n)
{
    return n->op == CS_OP_DATA || (n->op == CS_OP_SLICE && n->size == 1);
}

/* The log sum exp of a few numbers that nothing else reads together is like
 * one of class MAP: the PACK of them is inner to it, and they are its
 * arguments. How many arguments n has so. */
uint32_t cs_isomorphic_count(const cs_isomorphic *a, cs_node n);

/* Argument k of such a node: of those that commute in the order of their
 * shapes. */
cs_node cs_isomorphic_arg(const cs_isomorphic *a, cs_node n, uint32_t k);
