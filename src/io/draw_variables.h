/* The columns of a file of draws as variables: "x.1", "x.2", "x.3" are a vector
 * of three numbers, "theta.2.3" is an element of a matrix. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_VARIABLE_NAME = 208, CS_VARIABLE_DIMS = 4 };

typedef struct cs_draw_variable {
    char name[CS_VARIABLE_NAME];
    bool sampler; /* a sampler quantity: its column ends in "__" */
    size_t n_dims, dim[CS_VARIABLE_DIMS];
    size_t n;       /* numbers per draw: the product of dim[] */
    size_t *column; /* [n] [own] their columns, the last index fastest */
} cs_draw_variable;

typedef struct cs_draw_variables {
    cs_draw_variable *variable; /* [n] [own] */
    size_t n, room;
} cs_draw_variables;

/* Groups columns: adjacent columns that share a name and whose indices fill a
 * box from 1 on form one variable; each other column is a variable. End with
 * cs_draw_variables_free, whatever is returned. */
cs_status cs_draw_variables_of(const char *const *name, size_t columns,
                               cs_draw_variables *out, cs_error *err);
void cs_draw_variables_free(cs_draw_variables *v);
