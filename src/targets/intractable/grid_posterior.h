/* The parameter rows of targets whose data are a grid. */
#pragma once

#include "data/edges.h"
#include "targets/intractable/family.h"

enum {
    CS_FIELD_ROWS = CS_FAMILY_PARAMS,
    CS_FIELD_COLS,
    CS_FIELD_PERIODIC,
    CS_FIELD_PARAMS
};

/* clang-format off */
#define CS_FIELD_SIDE(name_, def_, help_)                                      \
    {.name = name_, .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED, .min = 1,   \
     .max = 1024, .def = def_, .help = help_}
#define CS_FIELD_GRID_ROWS(side_)                                              \
    [CS_FIELD_ROWS] = CS_FIELD_SIDE("rows", side_,                             \
        "rows of the grid; follows from the data, if given"),                  \
    [CS_FIELD_COLS] = CS_FIELD_SIDE("cols", side_,                             \
        "columns of the grid; equal to rows by default; follows from "         \
        "the data, if given"),                                                 \
    [CS_FIELD_PERIODIC] = {.name = "periodic", .kind = CS_PARAM_BOOL,          \
        .flags = CS_PARAM_FIXED, .max = 1,                                     \
        .help = "true: opposite borders of the grid are joined (a torus)"}
/* clang-format on */

/* Does the work of `create`: reads the data and the grid given by
 * values[CS_FIELD_PARAMS], sets t->data_picture, and calls `make`, which takes
 * ownership of d->number. Cold. */
typedef cs_status cs_grid_posterior_make(cs_target *t, const cs_edges *bonds,
                                         const cs_value *values,
                                         cs_given_data *d, cs_error *err);
cs_status cs_grid_posterior_create(cs_target *t, cs_grid_posterior_make *make,
                                   const cs_value *values, cs_error *err);
