/* Converts files of draws to one file in a format that other programs read. */
#pragma once

#include "files/replace.h"
#include "io/cmdstan.h"
#include "io/data_lines.h"
#include "io/draw_files.h"
#include "io/draw_variables.h"

#define CS_EXPORT_ENDINGS ".nc (netCDF for ArviZ) or .jsonl"

/* The draws of the chains of one arm. All files have the same columns. */
typedef struct cs_export {
    const cs_draw_files *files; /* files of the chains [borrowed] */
    cs_cmdstan_head head;       /* header of the first file */
    cs_draw_variables variables;
    cs_data_lines lines; /* observed data and groups of variables */
    /* draws of the prior, with the groups prior and prior_predictive; NULL:
     * none [borrowed] */
    const struct cs_export *prior;
    uint64_t draws; /* draws per chain: number of draws of the shortest chain */
    uint64_t most;  /* number of draws of the longest chain */
    uint64_t warmup; /* number of saved warm-up draws of the shortest warm-up */
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
 * are nested arrays. netCDF: the groups of ArviZ's schema, with the dimensions
 * chain, draw, x_dim_0, ...: posterior, sample_stats, the same of a saved
 * warm-up, log_likelihood, posterior_predictive, prior, prior_predictive,
 * observed_data and constant_data, as far as the files have them; returns
 * CS_UNSUPPORTED if the netCDF library is not installed. */
cs_status cs_export_json_lines(const cs_export *e, const cs_replace *r,
                               cs_error *err);
cs_status cs_export_netcdf(const cs_export *e, const cs_replace *r,
                           cs_error *err);
