/* Lists of kernels and wrappers: parsing and checks. */
#pragma once

#include "kernel/kernel.h"

/* Resolves the values of a kernel of `type`: values[n_params] of its rows,
 * including those that follow from lists, and the lists [own, copied]. On
 * failure there is nothing to free. */
cs_status cs_kernel_resolve(const cs_kernel_type *type, const cs_value *given,
                            size_t n_given, double *values, cs_lists *lists,
                            cs_error *err);

/* Called by `arrange`. Checks that the numbers of a list increase, if the list
 * is given. The hint of the error is `example`. */
cs_status cs_list_rises(const cs_value *list, const char *example,
                        cs_error *err);
/* Checks that all numbers of a list are positive, if the list is given. */
cs_status cs_list_positive(const cs_value *list, cs_error *err);
/* Checks that lists for `coordinates` coordinates (0: no list was given) match
 * the dimension of the target. */
cs_status cs_list_fits(const char *kernel, const cs_target *t,
                       double coordinates, cs_error *err);
/* Sets *value to `number`, which follows from the list called `from`. Fails if
 * the user gave another value. */
cs_status cs_list_follows(const cs_value *given, const char *from,
                          double number, double *value, cs_error *err);

/* Frees the numbers of all lists. */
void cs_lists_clear(cs_lists *lists);
