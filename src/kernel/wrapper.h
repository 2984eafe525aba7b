/* A kernel that wraps another, made by cs_kernel_wrap: what its `self` is. Its
 * memory begins with the inner kernel's, its rows and stats with its own. */
#ifndef CS_KERNEL_WRAPPER_H
#define CS_KERNEL_WRAPPER_H

#include "kernel/kernel.h"

typedef struct cs_wrapper {
    cs_kernel_type type; /* of the whole */
    cs_kernel inner;     /* its values are those of the whole, behind */
    size_t n_aux;        /* rows of its own */
    size_t n_stats;      /* stats of its own */
    cs_param rows[CS_KERNEL_PARAMS + CS_KERNEL_LISTS];
    double list[CS_KERNEL_LISTS][CS_KERNEL_LIST];
    size_t n_list[CS_KERNEL_LISTS]; /* 0: not given */
    const char *stats[CS_KERNEL_STATS + 1];
    char name[64], title[128];
} cs_wrapper;

/* Words of memory of the inner kernel: where its own begin. */
static inline size_t cs_wrapper_first(const cs_wrapper *a, const cs_target *t)
{
    return cs_kernel_memory_words(a->inner.type, t);
}

/* The move as the inner kernel sees it. */
static inline cs_move cs_wrapper_inner(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    const cs_target *t = m->eval->target;
    size_t before = a->type.scratch_words(t) + cs_wrapper_first(a, t);
    cs_move inner = *m;
    inner.param += a->n_aux * m->lanes;
    inner.scratch += before * m->lanes;
    inner.info.stat += a->n_stats * m->lanes;
    inner.self = a->inner.self;
    inner.multi_step = inner.packed_valid = false; /* the outer kernel looks */
    return inner;
}

/* Room for the inner kernel's memory. */
static inline double *cs_wrapper_spare(const cs_move *m)
{
    const cs_wrapper *a = m->self;
    return m->scratch + a->type.scratch_words(m->eval->target) * m->lanes;
}

#endif
