/* Copies netCDF files in ArviZ's layout to one file. In contrast to the other
 * formats of export, draws are not converted: all groups keep their names,
 * types, shapes, dimensions, coordinates and attributes. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_joined {
    bool known; /* true if every file has a group posterior; otherwise nothing
                 * was written */
    uint64_t chains, draws; /* of the posterior */
    uint64_t most;          /* draws of its longest file */
    char groups[600];       /* names of the groups, separated by ", " */
    char left[300]; /* names of variables of a type that is not copied; "":
                     * none */
} cs_joined;

/* Writes the new file `out` from path[n]. The dimension `chain` of each group is
 * joined over the files; `draw` is cut to the shortest file. Everything else
 * must be equal in all files: a group, variable or dimension that differs is
 * CS_INPUT, and the error names the file. Returns CS_UNSUPPORTED if the netCDF
 * library is not installed. */
cs_status cs_netcdf_join(const char *const *path, size_t n, const char *out,
                         cs_joined *done, cs_error *err);
