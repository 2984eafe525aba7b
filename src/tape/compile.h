/* The compiler passes from a log density written in Lua to a program:
 *
 *   expr/                 records the graph, folds constants, differentiates
 *   isomorphic.c          finds numbers computed by the same operations
 *   reroll.c              combines them into vectors: loop re-rolling (SLP
 *                         vectorisation of an unrolled trace)
 *   sparsity.c            splits the density into terms and finds the
 *                         coordinates that each term reads
 *   site_programs.c       builds a small graph of the terms of each coordinate
 *   program_cache.c       compiles equal graphs of coordinates once
 *   split.c, terms.c      split a sum over the rows of a table into parts that
 *                         depend on parameters, on data, and on both
 *   fuse.c                fuses values into the only sum that reads them
 *   allocate.c            allocates slots for the other values
 *   compile.c             writes instructions in the order of the nodes
 *   evaluate.c            runs a program over a block (matvec.h,
 *                         sum_products.h, linear_lanes.h, special.h)
 *   evaluate_one.c        runs a program for one state, with the elements of a
 *                         vector in lanes (sum_one.h, linear_one.h); the
 *                         results have the same bits
 *
 * This header declares the internals of fuse.c, allocate.c and compile.c. */
#pragma once

#include "base/memory.h"
#include "tape/program.h"

/* Information about a node during compilation. */
typedef struct cs_node_info {
    uint32_t uses;     /* number of uses by needed nodes and by roots */
    uint32_t last;     /* the last node that reads the value, or a value inside
                        * it */
    uint32_t slot;     /* first slot, if the node owns slots and is `placed` */
    uint32_t offset;   /* offset of the value within the slots of `home` */
    cs_node home;      /* value whose slots this value shares; 0: it has its own
                        * slots */
    cs_node reader;    /* for a fused node: the sum that contains it */
    uint32_t next;     /* next owner of slots with the same `last` */
    uint32_t constant; /* 1 + the constant's index in the pool */
    cs_node twin;      /* other node of a pair: softplus and sigmoid of one
                        * argument, or log sum exp and softmax */
    bool fused, factor, placed, done; /* factor: part of a product in a sum */
    bool rest;                        /* needed by a root other than the
                                       * first */
} cs_node_info;

/* Free slots of one size. */
typedef struct cs_free_slots {
    uint32_t size, *slot;
    size_t n, capacity;
} cs_free_slots;

typedef struct cs_pending {
    cs_node node;
    double factor;
} cs_pending;

/* The products of the current sum, which are stored after the sum's plain
 * terms. */
typedef struct cs_fused_pairs {
    cs_term *term;
    size_t n, capacity;
} cs_fused_pairs;

typedef struct cs_compiler {
    const cs_graph *g;
    cs_program *p;      /* p->numbers is the number of scalars in the input */
    cs_node_info *info; /* [n_nodes] */
    uint32_t *expires;  /* [n_nodes] the first of the slot owners whose last use
                           is at the node */
    cs_free_slots *pools;
    size_t n_pools, pool_capacity;
    uint32_t
        *pool_of; /* [pool_of_capacity] 1 + index in the pool of constants, by
                        * size */
    size_t pool_of_capacity;
    cs_pending *stack;
    size_t n_stack, stack_capacity;
    cs_fused_pairs pairs;
    size_t code_capacity, term_capacity, constant_capacity;
    cs_status status;
} cs_compiler;

#define CS_COMPILER_GROW(c, items, n, room, more)                              \
    (CS_EXTEND(items, n, room, more) || ((c)->status = CS_MEMORY, false))

static inline const cs_graph_node *at(const cs_compiler *c, cs_node n)
{
    return cs_graph_at(c->g, n);
}

static inline cs_node arg(const cs_compiler *c, cs_node n, size_t i)
{
    return cs_graph_arg(c->g, n, i);
}

static inline bool number(const cs_compiler *c, cs_node n, double *v)
{
    return cs_graph_is_number(c->g, n, v);
}

static inline bool is_sum(uint32_t op)
{
    return op == CS_OP_ADD || op == CS_OP_SUB;
}

/* ---- fuse.c -------------------------------------------------------------- */

void cs_compiler_count_uses(cs_compiler *c, const cs_node *roots, size_t n);

/* Marks the nodes that roots other than the first need. */
void cs_compiler_find_rest(cs_compiler *c, const cs_node *roots, size_t n);

/* Decides which nodes become part of a sum: each node whose only reader is this
 * sum. */
void cs_compiler_fuse(cs_compiler *c);

/* Pairs softplus with sigmoid of the same argument, and log sum exp with
 * softmax, because a density and its gradient use both. A pair needs one
 * instruction and one exponential. Returns false if out of memory. */
bool cs_compiler_find_twins(cs_compiler *c);

/* Returns m if n = m * factor or n = m / (1 / factor); 0 if n is not such a
 * product. */
cs_node cs_compiler_scaled(const cs_compiler *c, cs_node n, double *factor);

/* ---- allocate.c ---------------------------------------------------------- */

/* Finds values that share the slots of another value: slices, and parts of a
 * PACK. */
void cs_compiler_find_homes(cs_compiler *c);

/* Finds the last reader of each owner of slots, and lists the owners that
 * expire at each node. */
void cs_compiler_find_last_uses(cs_compiler *c, const cs_node *roots, size_t n);

/* Returns true if n is part of the input, and stores the position of n in
 * *at. */
bool cs_compiler_is_input(const cs_compiler *c, cs_node n, uint32_t *at);

/* Returns the slot of a value, allocating it if necessary. */
uint32_t cs_compiler_slot_of(cs_compiler *c, cs_node n);

/* Frees the slots whose last reader is y. */
void cs_compiler_expire(cs_compiler *c, cs_node y);
