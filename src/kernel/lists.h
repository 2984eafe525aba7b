/* What kernels and wrappers make of the lists that they are given. */
#pragma once

#include "kernel/kernel.h"

/* What a kernel of `type` is made of: values[n_params] of its rows, with
 * whatever follows from lists, and the lists [own, copied]. Where it fails
 * there is nothing to free. */
cs_status cs_kernel_resolve(const cs_kernel_type *type, const cs_value *given,
                            size_t n_given, double *values, cs_lists *lists,
                            cs_error *err);

/* For `arrange`. That a list that was given rises: `example` is the hint. */
cs_status cs_list_rises(const cs_value *list, const char *example,
                        cs_error *err);
/* That all numbers of a list that was given are above 0. */
cs_status cs_list_positive(const cs_value *list, cs_error *err);
/* That lists of `coordinates` (0: none is given) are of those of the target. */
cs_status cs_list_fits(const char *kernel, const cs_target *t,
                       double coordinates, cs_error *err);
/* What follows from a list called `from` cannot be said otherwise beside it:
 * *value becomes `number`, which is all that may be given of it. */
cs_status cs_list_follows(const cs_value *given, const char *from,
                          double number, double *value, cs_error *err);

/* Frees the numbers of all lists. */
void cs_lists_clear(cs_lists *lists);
