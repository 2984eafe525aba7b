/* Groups the columns of a file of draws into variables: the columns "x.1",
 * "x.2", "x.3" are a vector of three numbers, and the column "theta.2.3" is an
 * element of a matrix. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_VARIABLE_NAME = 208, CS_VARIABLE_DIMS = 4 };

typedef struct cs_draw_variable {
    char name[CS_VARIABLE_NAME];
    bool sampler; /* true for a sampler quantity, whose column name ends in
                   * "__" */
    size_t n_dims, dim[CS_VARIABLE_DIMS];
    size_t n;       /* numbers per draw, the product of dim[] */
    size_t *column; /* [n] [own] column of each number; the last index varies
                     * fastest */
} cs_draw_variable;

typedef struct cs_draw_variables {
    cs_draw_variable *variable; /* [n] the variables [own] */
    size_t n, capacity;
} cs_draw_variables;

/* Groups columns. Adjacent columns form one variable under two conditions: they
 * have equal names apart from their indices, and the indices, which start at 1,
 * are those of a full array. Every other column is a variable by itself. Call
 * cs_draw_variables_free afterwards, also after a failure. */
cs_status cs_draw_variables_of(const char *const *name, size_t columns,
                               cs_draw_variables *out, cs_error *err);
void cs_draw_variables_free(cs_draw_variables *v);
