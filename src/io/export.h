/* Converts files of draws to one file in a format of other programs. */
#pragma once

#include "files/replace.h"
#include "io/cmdstan.h"
#include "io/draw_files.h"
#include "io/draw_variables.h"

#define CS_EXPORT_ENDINGS ".nc (netCDF for ArviZ) or .jsonl"

/* The draws of the chains of one arm, whose files have the same columns. */
typedef struct cs_export {
    const cs_draw_files *files; /* [borrowed] */
    cs_cmdstan_head head;       /* header of the first file */
    cs_draw_variables variables;
    uint64_t draws; /* draws per chain: the length of the shortest */
    uint64_t most;  /* draws of the longest chain */
} cs_export;

/* Reads all files once to count draws. End with cs_export_close, whatever is
 * returned. */
cs_status cs_export_open(cs_export *e, const cs_draw_files *files,
                         cs_error *err);
void cs_export_close(cs_export *e);

/* Writes a new file `path` in the format of its ending; CS_INPUT: unknown
 * ending. A file that could not be written completely is removed. */
cs_status cs_export_write(const cs_export *e, const char *path, cs_error *err);

/* The formats. JSON lines: {"chain": 1, "draw": 1, "lp__": -3.2, "x": [1, 2]},
 * one line per draw, null for non-finite values, nested arrays for matrices.
 * netCDF: groups posterior and sample_stats with dimensions chain, draw,
 * x_dim_0, ... as in ArviZ's schema; CS_UNSUPPORTED: the library is not
 * installed. */
cs_status cs_export_json_lines(const cs_export *e, const cs_replace *r,
                               cs_error *err);
cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err);
