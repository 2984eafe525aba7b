/* Names of the elements of an array: theta.1.1, theta.2.1 ... The first index
 * varies fastest, as in files of Stan. */
#pragma once

#include "io/formats/column_names.h"

enum { CS_ARRAY_DIMS = 8 };

/* Appends the names of all elements. The name of a quantity of the sampler ends
 * in "__"; so do the names of its elements: a.1__. Without dimensions appends
 * the name. */
cs_status cs_array_names(cs_column_names *c, const char *name,
                         const size_t *dim, size_t n_dims, cs_error *err);

/* Converts the position of an element in an array whose last index varies
 * fastest, as in C, to its position in the order of the names. */
size_t cs_array_place(const size_t *dim, size_t n_dims, size_t at);
