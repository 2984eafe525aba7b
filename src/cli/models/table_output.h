/* A table of results in all formats: text, markdown, latex, html, json and
 * csv. */
#pragma once

#include "base/cells.h"
#include "cli/line/subcommand.h"

typedef struct cs_table_output {
    size_t format;
    const char *file; /* NULL: stdout */
} cs_table_output;

/* Reads --format and --output, and checks that the file may be written. All
 * errors are usage errors. */
cs_status cs_table_choose(const cs_args *args, cs_table_output *out,
                          cs_error *err);

/* Writes the table. In JSON its rows are the array `key` of an object; in other
 * formats except CSV, `note`, a sentence, follows the table (NULL: none). */
cs_status cs_table_write(const cs_table_output *to, const cs_cells *t,
                         const char *key, const char *note, cs_error *err);

#define CS_TABLE_OPTIONS                                                       \
    {"format", "NAME",                                                         \
     "text, markdown, latex, html, json or csv (default: from the file "       \
     "name)"},                                                                 \
    {                                                                          \
        "output", "FILE", "(-o) output file instead of stdout"                 \
    }
