/* Formats of draws that other programs write. A file is recognised by its
 * content; the ending of its name has no effect. Each format is read by one
 * file of this folder, which sends rows to a sink. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CS_DRAW_NAME = 200,        /* maximum bytes of a column's name */
    CS_DRAW_COLUMNS = 1 << 20, /* maximum number of columns */
    CS_DRAW_CHAINS = 1 << 16,  /* maximum number of chains of a file */
    CS_DRAW_CONVENIENT = 1000  /* see `groups` below */
};

/* The receiver of the draws of a file. */
typedef struct cs_draw_sink {
    void *self;
    /* Called once per file, before its first row. The names are distinct and
     * have the form of CmdStan: theta.2.3. */
    cs_status (*columns)(void *self, const char *const *name, size_t n,
                         cs_error *err);
    /* Called for each row[n]. `chain` is the number of the chain in the file.
     * The chains may alternate. The warm-up of a chain precedes its draws. */
    cs_status (*row)(void *self, uint64_t chain, bool warmup, const double *row,
                     cs_error *err);
    /* Receives a sentence about an assumption of the reader: the separator,
     * missing values, groups that are not read. */
    void (*note)(void *self, const char *text);
    /* Receives a comment line about observed data or the groups of variables
     * (io/data_lines.h), with a newline, before the first row. NULL: unused */
    void (*data)(void *self, const char *line);
    /* Names, separated by commas, of further groups to read from netCDF; NULL:
     * none. A file may lack a group whose name follows a "?". A group whose name
     * follows a "~" is also left out if it has other draws than the posterior, or
     * more than CS_DRAW_CONVENIENT numbers per draw. */
    const char *groups;
    const char *const *file; /* [n_files] all files that the user gave */
    size_t n_files;
} cs_draw_sink;

void cs_draw_note(const cs_draw_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first bytes of a file. `whole` is true if they are the whole file. */
typedef struct cs_draw_head {
    const char *text;
    size_t n;
    bool whole;
} cs_draw_head;

typedef struct cs_draw_format {
    const char *name;
    bool (*recognise)(const cs_draw_head *h);
    /* Errors name the file, and the line or the byte. */
    cs_status (*read)(const char *path, const cs_draw_sink *sink,
                      cs_error *err);
    bool companion; /* true if the file has no draws, but describes other
                     * files */
} cs_draw_format;

/* Reads CSV, with the comments of CmdStan if it has them. */
cs_status cs_csv_read(const char *path, const cs_draw_sink *sink,
                      cs_error *err);

extern const cs_draw_format cs_format_netcdf, cs_format_json_lines,
    cs_format_cmdstan, cs_format_coda, cs_format_coda_index, cs_format_csv;

/* Returns row number i of the table of formats, or NULL past the last. */
const cs_draw_format *cs_draw_format_at(size_t i);

/* Sets *out to the format of the file, or to NULL if the format is unknown;
 * *native is true for a file of draws that all commands read as it is: CmdStan
 * CSV whose first column is lp__. Fails if the path is not a readable regular
 * file, if the file has a format that is known but not read (gzip, UTF-16), or
 * if it is a CmdStan file of a method other than sample. */
cs_status cs_draw_format_find(const char *path, const cs_draw_format **out,
                              bool *native, cs_error *err);
