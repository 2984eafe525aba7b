/* The `self` of a kernel that moves chains by the steps of another, made by
 * cs_kernel_wrap.
 *
 * Parameters and stats: the wrapper's own first, then the inner kernel's.
 * Memory: the inner kernel's first, then the wrapper's own; if both have
 * auxiliary variables it is followed by room for a copy of the inner kernel's
 * memory, and after each step the wrapper copies the inner auxiliary rows
 * there, so that all auxiliary rows are contiguous. Scratch: the wrapper's own,
 * then room for the inner kernel's memory once more, then the inner kernel's
 * scratch. */
#pragma once

#include "kernel/lists.h"

typedef struct cs_wrapper {
    cs_lists lists;      /* the wrapper's own; first: cs_self_list */
    cs_kernel_type type; /* type of the whole kernel */
    cs_kernel inner;     /* the inner kernel, with its values at creation */
    double values[CS_KERNEL_PARAMS];   /* values of the whole kernel at
                                          creation: those of CS_PARAM_FIXED rows
                                          never change */
    size_t n_params, n_lists, n_stats; /* the wrapper's own */
    cs_param rows[CS_KERNEL_PARAMS + CS_KERNEL_LISTS];
    const char *stats[CS_KERNEL_STATS + 1];
    char name[64], title[128];
} cs_wrapper;

/* Returns the inner kernel of a wrapper, with its part of the present
 * values. */
cs_kernel cs_kernel_inner(const cs_kernel *k);

/* Returns the words of memory of the inner kernel: the wrapper's own memory
 * starts there. */
static inline size_t cs_wrapper_first(const cs_wrapper *a, const cs_target *t)
{
    return cs_kernel_memory_words(&a->inner, t);
}

/* Returns the room in scratch for the inner kernel's memory, after the
 * wrapper's own scratch. */
static inline double *cs_wrapper_scratch(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    const cs_target *t = m->eval->target;
    return m->scratch + a->type.scratch_words(t, a->values) * m->lanes;
}

/* Returns the move as the inner kernel sees it. */
static inline cs_move cs_wrapper_inner(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    cs_move inner = *m;
    inner.param += a->n_params * m->lanes;
    inner.scratch =
        cs_wrapper_scratch(m) + cs_wrapper_first(a, m->eval->target) * m->lanes;
    inner.info.stat += a->n_stats * m->lanes;
    inner.self = a->inner.self;
    inner.stop = NULL; /* the wrapper must not abandon the step of the inner
                          kernel */
    /* The wrapper reads x after each step, so it must not stay packed. */
    inner.multi_step = inner.packed_valid = false;
    return inner;
}
