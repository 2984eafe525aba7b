/* Files of draws made into one that other programs read. */
#pragma once

#include "files/replace.h"
#include "io/cmdstan.h"
#include "io/draw_files.h"
#include "io/draw_variables.h"

#define CS_EXPORT_ENDINGS ".nc (netCDF, as ArviZ has it) or .jsonl"

/* Draws of the chains of one arm, whose files have the same columns. */
typedef struct cs_export {
    const cs_draw_files *files; /* [borrowed] */
    cs_cmdstan_head head;       /* of the first */
    cs_draw_variables variables;
    uint64_t draws; /* of each chain: as many as the shortest has */
    uint64_t most;  /* that the longest has */
} cs_export;

/* Reads all files once, to count. End it with cs_export_close, whatever is
 * returned. */
cs_status cs_export_open(cs_export *e, const cs_draw_files *files,
                         cs_error *err);
void cs_export_close(cs_export *e);

/* Writes `path`, which is not there yet, in the format that its ending says;
 * CS_INPUT: it says none. What could not be written whole is removed. */
cs_status cs_export_write(const cs_export *e, const char *path, cs_error *err);

/* The formats. JSON lines: {"chain": 1, "draw": 1, "lp__": -3.2, "x": [1, 2]}, a
 * line a draw, null for what is not finite, arrays in arrays for matrices.
 * netCDF: groups posterior and sample_stats with dimensions chain, draw,
 * x_dim_0, ... as ArviZ's schema has them; CS_UNSUPPORTED: the library is not on
 * this machine. */
cs_status cs_export_json_lines(const cs_export *e, const cs_replace *r,
                               cs_error *err);
cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err);
