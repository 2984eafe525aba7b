/* The `self` of a wrapper: a kernel that moves chains by the steps of another
 * kernel. Created by cs_kernel_wrap.
 *
 * Parameters and stats: the wrapper's own come first, then the inner kernel's.
 * Memory: the inner kernel's comes first, then the wrapper's own. If both have
 * auxiliary variables, a copy of the inner kernel's auxiliary rows follows, so
 * that all auxiliary rows are contiguous. The wrapper updates this copy after
 * each step. Scratch: the wrapper's own, then space for a copy of the inner
 * kernel's memory, then the inner kernel's scratch. */
#pragma once

#include "kernel/lists.h"

typedef struct cs_wrapper {
    cs_lists lists;      /* lists of the wrapper itself; must be the first
                            member (see cs_self_list) */
    cs_kernel_type type; /* the type with the rows of wrapper and inner
                            kernel */
    cs_kernel inner;     /* the inner kernel, with its values at creation */
    double values[CS_KERNEL_PARAMS];   /* values of wrapper and inner kernel at
                                          creation; CS_PARAM_FIXED values never
                                          change */
    size_t n_params, n_lists, n_stats; /* numbers of parameters, lists and stats
                                          of the wrapper itself */
    cs_param *rows; /* rows of parameters, then of lists [own] */
    const char *stats[CS_KERNEL_STATS + 1];
    char name[64], title[128];
} cs_wrapper;

/* Returns the inner kernel of a wrapper, with its share of the current
 * values. */
cs_kernel cs_kernel_inner(const cs_kernel *k);

/* Returns the memory size of the inner kernel in doubles per lane. The
 * wrapper's own memory starts there. */
static inline size_t cs_wrapper_first(const cs_wrapper *a, const cs_target *t)
{
    return cs_kernel_memory_words(&a->inner, t);
}

/* Returns the space in scratch for a copy of the inner kernel's memory; it
 * follows the wrapper's own scratch. */
static inline double *cs_wrapper_scratch(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    const cs_target *t = m->eval->target;
    return m->scratch + a->type.scratch_words(t, a->values) * m->lanes;
}

/* Returns the cs_move that is passed to the inner kernel. */
static inline cs_move cs_wrapper_inner(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    cs_move inner = *m;
    inner.param += a->n_params * m->lanes;
    inner.scratch =
        cs_wrapper_scratch(m) + cs_wrapper_first(a, m->eval->target) * m->lanes;
    inner.info.stat += a->n_stats * m->lanes;
    inner.self = a->inner.self;
    inner.stop = NULL; /* a wrapped step must not be abandoned */
    /* The wrapper reads x after each step, so x must not remain packed. */
    inner.multi_step = inner.packed_valid = false;
    return inner;
}
