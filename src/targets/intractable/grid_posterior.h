/* The rows of targets whose data are a grid. */
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
#define CS_FIELD_SIDE(name_, def_, help_)                                            \
    {.name = name_, .kind = CS_PARAM_INT, .flags = CS_PARAM_FIXED, .min = 1,   \
     .max = 1024, .def = def_, .help = help_}
#define CS_FIELD_GRID_ROWS(side_)                                              \
    [CS_FIELD_ROWS] = CS_FIELD_SIDE("rows", side_,                             \
        "rows of the grid; those of the data, if that is given"),              \
    [CS_FIELD_COLS] = CS_FIELD_SIDE("cols", side_,                             \
        "columns of the grid; as many as rows, or those of the data"),         \
    [CS_FIELD_PERIODIC] = {.name = "periodic", .kind = CS_PARAM_BOOL,          \
        .flags = CS_PARAM_FIXED, .max = 1, .help = "join the borders: a torus"}
/* clang-format on */

/* The bonds of the grid that values[CS_FIELD_PARAMS] and the data name, and how
 * to draw it. [own, cs_edges_free] Cold. */
cs_status cs_grid_posterior_edges(const char *target, const cs_value *values,
                                  const cs_given_data *d, cs_edges *bonds,
                                  cs_picture *picture, cs_error *err);
