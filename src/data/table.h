/* Tables of numbers from CSV files: one row a line, commas between fields, an
 * optional line of names first. Fields may also be separated by semicolons or
 * tabs, as the first line shows; then decimal commas are read too. Blank lines and lines that begin with # are
 * skipped; a byte order mark, CRLF, blanks around fields and quotes around
 * them are understood. Decimal points are points whatever the locale. */
#pragma once

#include "data/lines.h"

#include <stddef.h>

enum {
    CS_TABLE_NAME = 64,        /* bytes of a column's name with its end */
    CS_TABLE_COLUMNS = 1 << 17 /* most columns */
};

typedef struct cs_table {
    size_t rows, cols;
    double *data;                 /* [rows][cols], all finite [own] */
    char (*names)[CS_TABLE_NAME]; /* [cols]; "x1" ... without a header [own] */
} cs_table;

/* Reads the file at `path`. The error names file and line. Cold. */
cs_status cs_table_read(const char *path, cs_table *out, cs_error *err);

/* The same of the first row and each `every`-th after it; *rows: their number.
 * The other rows are not parsed. */
cs_status cs_table_read_thinned(const char *path, size_t every, cs_table *out,
                                size_t *rows, cs_error *err);

/* All from text[size]; `where` names it in errors. */
cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err);

/* The same of texts as well as numbers: the fields as they stand, between
 * commas or in quotes, in which two quotes are one. */
typedef struct cs_records {
    size_t rows, cols;
    char (*names)[CS_TABLE_NAME]; /* [cols] [own] */
    cs_word_span *field;          /* [rows][cols], in the text [own] */
    char *text;                   /* [own] */
    char separator;               /* between fields: ',', ';' or a tab */
} cs_records;

cs_status cs_records_read(const char *path, cs_records *out, cs_error *err);

/* The same from text[size], which the records take over, whether or not they
 * can be read; `where` names it in errors. */
cs_status cs_records_parse(char *text, size_t size, const char *where,
                           cs_records *out, cs_error *err);
void cs_records_free(cs_records *records);

/* The field as a number, infinities and NaN among them; false if invalid. */
bool cs_records_number(const cs_records *t, size_t row, size_t col,
                       double *number);

/* The field, which was in quotes, with two of them as one: the bytes written
 * to out[field.end - field.at]. */
size_t cs_records_unquote(cs_word_span field, char *out);

/* Frees what a table owns; a zeroed table is fine. */
void cs_table_free(cs_table *table);
