/* Tables of numbers from CSV files: one row a line, commas between fields, an
 * optional line of names first. Blank lines and lines that begin with # are
 * skipped; a byte order mark, CRLF, blanks around fields and quotes around
 * them are understood. Decimal points are points whatever the locale. */
#ifndef CS_BASE_TABLE_H
#define CS_BASE_TABLE_H

#include "base/status.h"

#include <stddef.h>

enum {
    CS_TABLE_NAME = 64,     /* bytes of a column's name with its end */
    CS_TABLE_COLUMNS = 4096 /* most columns */
};

typedef struct cs_table {
    size_t rows, cols;
    double *data;                 /* [rows][cols], all finite [own] */
    char (*names)[CS_TABLE_NAME]; /* [cols]; "x1" ... without a header [own] */
} cs_table;

/* Reads the file at `path`. The error names file and line. Cold. */
cs_status cs_table_read(const char *path, cs_table *out, cs_error *err);

/* The same from text[size]; `where` names it in errors. */
cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err);

/* Frees what a table owns; a zeroed table is fine. */
void cs_table_free(cs_table *table);

#endif
