#include "io/formats/array_names.h"

#include <stdio.h>
#include <string.h>

cs_status cs_array_names(cs_column_names *c, const char *name,
                         const size_t *dim, size_t n_dims, cs_error *err)
{
    size_t all = 1;
    for (size_t d = 0; d < n_dims; d++) {
        if (dim[d] && all > CS_DRAW_COLUMNS / dim[d])
            return cs_fail(err, CS_INPUT,
                           "%.80s has more than %d numbers per draw", name,
                           CS_DRAW_COLUMNS);
        all *= dim[d];
    }
    size_t length = strlen(name);
    bool sampler = length > 2 && strcmp(name + length - 2, "__") == 0;
    const char *end = sampler && n_dims ? "__" : "";
    int stem = (int)(length - strlen(end));
    cs_status status = CS_OK;
    for (size_t i = 0; i < all && status == CS_OK; i++) {
        char text[CS_DRAW_NAME + 200];
        int n = snprintf(text, sizeof text, "%.*s",
                         stem < CS_DRAW_NAME ? stem : CS_DRAW_NAME, name);
        for (size_t d = 0, rest = i; d < n_dims; rest /= dim[d++])
            n += snprintf(text + n, sizeof text - (size_t)n, ".%zu",
                          rest % dim[d] + 1);
        n += snprintf(text + n, sizeof text - (size_t)n, "%s", end);
        status = cs_names_add(c, text, (size_t)n, err);
    }
    return status;
}

size_t cs_array_place(const size_t *dim, size_t n_dims, size_t at)
{
    size_t stride = 1, place = 0;
    for (size_t d = 0; d < n_dims; d++)
        stride *= dim[d];
    /* from the last index, which varies fastest in `at` */
    for (size_t d = n_dims; d-- > 0; at /= dim[d]) {
        stride /= dim[d];
        place += at % dim[d] * stride;
    }
    return place;
}
