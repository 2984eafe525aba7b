/* The lists of numbers of a kernel: what the `self` of a plain kernel with
 * lists is, and what that of a wrapper begins with. */
#ifndef CS_KERNEL_LISTS_H
#define CS_KERNEL_LISTS_H

#include "kernel/kernel.h"

typedef struct cs_lists {
    double *of[CS_KERNEL_LISTS]; /* [own] [n] in the order of their rows */
    size_t n[CS_KERNEL_LISTS];   /* 0: not given */
} cs_lists;

/* What a kernel of `type` is made of: values[n_params] of its rows, with
 * whatever follows from lists, and the lists [own, copied]. Where it fails
 * there is nothing to free. */
cs_status cs_kernel_resolve(const cs_kernel_type *type, const cs_value *given,
                            size_t n_given, double *values, cs_lists *lists,
                            cs_error *err);

/* Frees the numbers of all lists. */
void cs_lists_clear(cs_lists *lists);

#endif
