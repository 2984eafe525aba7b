/* Converts files of draws to one file in a format that other programs read. */
#pragma once

#include "files/replace.h"
#include "io/cmdstan.h"
#include "io/draw_files.h"
#include "io/draw_variables.h"

#define CS_EXPORT_ENDINGS ".nc (netCDF for ArviZ) or .jsonl"

/* The draws of the chains of one arm. All files have the same columns. */
typedef struct cs_export {
    const cs_draw_files *files; /* files of the chains [borrowed] */
    cs_cmdstan_head head;       /* header of the first file */
    cs_draw_variables variables;
    uint64_t draws; /* draws per chain: number of draws of the shortest chain */
    uint64_t most;  /* number of draws of the longest chain */
} cs_export;

/* Reads all files once to count their draws. Call cs_export_close afterwards,
 * also after a failure. */
cs_status cs_export_open(cs_export *e, const cs_draw_files *files,
                         cs_error *err);
void cs_export_close(cs_export *e);

/* Writes a new file `path`. The ending of the name selects the format. If the
 * ending is unknown, returns CS_INPUT. If the file cannot be written
 * completely, removes the file. */
cs_status cs_export_write(const cs_export *e, const char *path, cs_error *err);

/* Each function writes one format. JSON lines: one line per draw, {"chain": 1,
 * "draw": 1, "lp__": -3.2, "x": [1, 2]}; non-finite values are null, matrices
 * are nested arrays. netCDF: groups posterior and sample_stats with the
 * dimensions chain, draw, x_dim_0, ... as in ArviZ's schema; returns
 * CS_UNSUPPORTED if the netCDF library is not installed. */
cs_status cs_export_json_lines(const cs_export *e, const cs_replace *r,
                               cs_error *err);
cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err);
