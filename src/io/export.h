/* Converts files of draws to one file in a format that other programs read. */
#pragma once

#include "base/page.h"
#include "files/replace.h"
#include "io/cmdstan.h"
#include "io/data_lines.h"
#include "io/draw_files.h"
#include "io/draw_variables.h"

#define CS_EXPORT_CODA "index.txt"
#define CS_EXPORT_ENDINGS                                                      \
    ".nc (netCDF for ArviZ), .jsonl or " CS_EXPORT_CODA " (CODA)"

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
    size_t chains;   /* number of files written beside the index of CODA */
    cs_page notes;   /* what the format cannot hold, and variables with other
                    * names than their columns: one per line [own] */
} cs_export;

/* Reads all files once to count their draws. Call cs_export_close afterwards,
 * also after a failure. */
cs_status cs_export_open(cs_export *e, const cs_draw_files *files,
                         cs_error *err);
void cs_export_close(cs_export *e);

/* Writes a new file `path`, for CODA also the files of the chains. The ending of
 * the name selects the format. If the ending is unknown, returns CS_INPUT. If
 * the file cannot be written completely, removes the file. Variables whose names
 * the format uses itself are renamed in `e`, which e->notes says. */
cs_status cs_export_write(cs_export *e, const char *path, cs_error *err);

/* Returns true if the ending of the name selects netCDF. */
bool cs_export_is_netcdf(const char *path);

/* Each function writes one format; `r` is the new file, and `path` its name as
 * the user gave it. JSON lines: one line per draw, {"chain": 1, "draw": 1,
 * "lp__": -3.2, "x": [1, 2]}; non-finite values are null, matrices are nested
 * arrays. CODA: `r` is the index. netCDF: the groups of ArviZ's schema, with the
 * dimensions chain, draw, x_dim_0, ...: posterior, sample_stats, the same of a
 * saved warm-up, log_likelihood, posterior_predictive, prior, prior_predictive,
 * observed_data and constant_data, as far as the files have them; returns
 * CS_UNSUPPORTED if the netCDF library is not installed. */
typedef cs_status cs_export_format(cs_export *e, const cs_replace *r,
                                   const char *path, cs_error *err);
cs_export_format cs_export_json_lines, cs_export_coda, cs_export_netcdf;

/* Removes the files of chains that were written beside the index of CODA. */
void cs_export_remove_chains(cs_export *e, const char *index);
