/* From a log density written in Lua to a program, pass by pass:
 *
 *   expr/                 records the graph; folds constants; its gradient
 *   isomorphic.c          finds numbers that are computed alike
 *   reroll.c              makes vectors of them: loop re-rolling (the SLP
 *                         vectorisation of an unrolled trace)
 *   sparsity.c            splits the density into terms; which coordinates each
 *                         term reads
 *   site_programs.c       a small graph for each coordinate, of its terms
 *   program_cache.c       compiles equal graphs of these once
 *   split.c, terms.c      of a sum over the rows of a table: what depends on
 *                         parameters alone, on data alone, on both
 *   fuse.c                sums take in what they alone read
 *   allocate.c            slots for the values that are left
 *   compile.c             instructions, in the order of the nodes
 *   evaluate.c            runs them over a block (matvec.h, sum_products.h,
 *                         linear_lanes.h, special.h)
 *   evaluate_one.c        runs them over one state, its elements side by side
 *                         (sum_one.h, linear_one.h): the same bits
 *
 * Here: what fuse.c, allocate.c and compile.c share. */
#pragma once

#include "base/memory.h"
#include "tape/program.h"

/* Information on a node during compilation. */
typedef struct cs_node_info {
    uint32_t uses;     /* number of uses by needed nodes and roots */
    uint32_t last;     /* the last node that reads it, or a value inside it */
    uint32_t slot;     /* for an owner of slots, when `placed` */
    uint32_t offset;   /* within its home */
    cs_node home;      /* the value whose slots it shares, 0: its own */
    cs_node reader;    /* for a fused node: its sum */
    uint32_t next;     /* the next owner with the same `last` */
    uint32_t constant; /* 1 + its index in the pool */
    cs_node twin;      /* softplus and sigmoid of one argument, or log sum exp
                          and softmax, one the other */
    bool fused, factor, placed, done; /* factor: of a product in a sum */
    bool rest;                        /* a root but the first needs it */
} cs_node_info;

/* Free slots of one size. */
typedef struct cs_free_slots {
    uint32_t size, *slot;
    size_t n, room;
} cs_free_slots;

typedef struct cs_pending {
    cs_node node;
    double factor;
} cs_pending;

/* The pairs of the current sum; they follow its plain terms. */
typedef struct cs_fused_pairs {
    cs_term *term;
    size_t n, room;
} cs_fused_pairs;

typedef struct cs_compiler {
    const cs_graph *g;
    cs_program *p;      /* its `numbers` are those of the input */
    cs_node_info *info; /* [n_nodes] */
    uint32_t *expires;  /* [n_nodes] the first owner whose last use it is */
    cs_free_slots *pools;
    size_t n_pools, room_pools;
    uint32_t *pool_of; /* [room_pool_of] per size, 1 + its index */
    size_t room_pool_of;
    cs_pending *stack;
    size_t n_stack, room_stack;
    cs_fused_pairs pairs;
    size_t room_code, room_terms, room_constants;
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

/* Decides which nodes become part of the only sum that reads them. */
void cs_compiler_fuse(cs_compiler *c);

/* Pairs softplus with sigmoid of the same argument, and log sum exp with
 * softmax, as a density and its gradient use them: one instruction, one
 * exponential. False: out of memory. */
bool cs_compiler_find_twins(cs_compiler *c);

/* Returns the m of n = m * factor or n = m / (1 / factor); 0 if n is not such a
 * product. */
cs_node cs_compiler_scaled(const cs_compiler *c, cs_node n, double *factor);

/* ---- allocate.c ---------------------------------------------------------- */

/* Finds values that share the slots of another: slices, and parts of a PACK. */
void cs_compiler_find_homes(cs_compiler *c);

/* Finds the last reader of each owner of slots, and lists the owners that
 * expire at each node. */
void cs_compiler_find_last_uses(cs_compiler *c, const cs_node *roots, size_t n);

/* True if n is part of the input, at *at. */
bool cs_compiler_is_input(const cs_compiler *c, cs_node n, uint32_t *at);

/* Returns the slot of a value, allocating it if necessary. */
uint32_t cs_compiler_slot_of(cs_compiler *c, cs_node n);

/* Frees the slots whose last reader is y. */
void cs_compiler_expire(cs_compiler *c, cs_node y);
