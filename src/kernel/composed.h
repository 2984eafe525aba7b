/* The `self` of a composed kernel: a kernel made of several kernels, its
 * members, each of which moves a part of the state of one target. Created by
 * cs_kernel_cycle.
 *
 * A step of a cycle is one step of each member in order, or `times` steps. A
 * member sees a window of the target, whose other coordinates are those of the
 * present state. It has its own rows, random numbers and memory, and its own step
 * number.
 *
 * Parameters, lists and stats: those of each member in order, with the names
 * MEMBER.NAME. Memory: one row per member, `stale`, then the memory of each
 * member. A lane of a member is stale if another member has moved the lane since
 * the member's last step; the member's `init` is then called for that lane before
 * its next step. Scratch: the layout is that of cs_composed_scratch. */
#pragma once

#include "kernel/members.h"

typedef struct cs_member {
    cs_kernel kernel;  /* with its values at creation [`self` borrowed] */
    cs_target *target; /* a window, or the whole target [held] */
    char name[24];
    size_t first_param, first_list,
        first_stat; /* first row among those of the whole */
    size_t memory;  /* first word of its memory */
    uint64_t times; /* steps per step of the whole */
    cs_key mix;     /* the keys of its streams are the exclusive
                                       or of this key and the block's keys */
    bool remembers; /* its memory depends on the state */
} cs_member;

typedef struct cs_composed {
    cs_lists lists;      /* empty; must be the first member, as in cs_wrapper */
    cs_kernel_type type; /* the type with the rows of all members */
    cs_target *whole;    /* the target whose parts the members move [held] */
    cs_member *member;   /* [n] [own] */
    size_t n;
    cs_param *rows;     /* [type.n_params + type.n_lists] [own] */
    char (*names)[64];  /* [type.n_params + type.n_lists + n_stats] names of
                           rows and stats [own] */
    const char **stats; /* [n_stats + 1] ends with NULL [own] */
    size_t n_stats;
    double values[CS_KERNEL_PARAMS]; /* values at creation */
    size_t x_rows, memory_rows, eval_rows,
        kernel_rows; /* sizes in the scratch: the largest of all members */
    char kind[96], title[128];
} cs_composed;

/* A member that is to be created. */
typedef struct cs_member_spec {
    const char *name;           /* unique among the members */
    const cs_kernel *kernel;    /* its `self` must outlive the new kernel
                                   [borrowed] */
    const uint32_t *coordinate; /* [n] the coordinates that it moves, in
                                   ascending order */
    size_t n;
    uint64_t times; /* 1 or more */
} cs_member_spec;

/* Creates the kernel that makes a step of each of the n members in order. Fails
 * with CS_UNSUPPORTED, and names the member, if a kernel cannot move a part of a
 * state, or not this part; with CS_INPUT if no member moves some coordinate. Free
 * the kernel with cs_kernel_release. Cold. */
cs_status cs_kernel_cycle(cs_kernel *k, cs_target *whole,
                          const cs_member_spec *spec, size_t n, cs_error *err);

/* Returns the data of a composed kernel; NULL: the kernel is not composed. */
static inline const cs_composed *cs_composed_of(const cs_kernel *k)
{
    return k->type->composes ? k->self : NULL;
}

/* Returns list number i of a composed kernel and its length n, as cs_kernel_list
 * does. */
const double *cs_composed_list(const cs_composed *c, size_t i, size_t *n);

/* Returns the streams of a member at its step number `turn` (from 0) within a
 * step of the whole. */
cs_streams cs_member_streams(const cs_member *q, const cs_streams *whole,
                             uint64_t turn);

/* Return the sizes of the memory and of the scratch in doubles per lane. */
size_t cs_composed_memory(const cs_composed *c);
size_t cs_composed_scratch(const cs_composed *c);

/* The functions of a cycle. Defined in kernel/composed_step.c. */
void cs_composed_init(cs_move *m);
void cs_composed_step(cs_move *m);
