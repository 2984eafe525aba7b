/* Tables of numbers from CSV files. Each line is a row, with commas between
 * fields; the first line may contain names. Semicolons or tabs may separate the
 * fields instead; the first line determines which separator is used. If the
 * separator is not a comma, decimal commas are also accepted. Blank lines and
 * lines that start with # are skipped. A byte order mark, CRLF, and blanks or
 * quotes around fields are accepted. A decimal point is accepted in any
 * locale. */
#pragma once

#include "data/lines.h"

#include <stddef.h>

enum {
    CS_TABLE_NAME = 64,        /* maximum bytes of a column's name, with its
                                * terminator */
    CS_TABLE_COLUMNS = 1 << 17 /* maximum number of columns */
};

typedef struct cs_table {
    size_t rows, cols;
    double *data;                 /* [rows][cols], all finite [own] */
    char (*names)[CS_TABLE_NAME]; /* [cols]; "x1" ... without a header [own] */
} cs_table;

/* Reads the file at `path`. Errors name the file and the line. For setup
 * only. */
cs_status cs_table_read(const char *path, cs_table *out, cs_error *err);

/* Reads the first row, and then every `every`-th row. Sets *rows to the number
 * of rows in the file. The other rows are not parsed. */
cs_status cs_table_read_thinned(const char *path, size_t every, cs_table *out,
                                size_t *rows, cs_error *err);

/* Reads all rows from text[size]; `where` names it in errors. */
cs_status cs_table_parse(const char *text, size_t size, const char *where,
                         cs_table *out, cs_error *err);

/* A table of strings and numbers. Each field is an unchanged part of the text,
 * between commas or between quotes. In a quoted field, two consecutive quotes
 * stand for one quote. */
typedef struct cs_records {
    size_t rows, cols;
    char (*names)[CS_TABLE_NAME]; /* [cols] [own] */
    cs_word_span *field;          /* [rows][cols] parts of the text [own] */
    char *text;                   /* [own] */
    char separator;               /* between fields: ',', ';' or a tab */
} cs_records;

cs_status cs_records_read(const char *path, cs_records *out, cs_error *err);

/* Reads a table from text[size]. Takes ownership of `text`, even on failure.
 * `where` is the name of the text in errors. */
cs_status cs_records_parse(char *text, size_t size, const char *where,
                           cs_records *out, cs_error *err);
void cs_records_free(cs_records *records);

/* Reads a field as a number, including infinities and NaN; returns false if
 * invalid. */
bool cs_records_number(const cs_records *t, size_t row, size_t col,
                       double *number);

/* Copies a quoted field with each pair of quotes replaced by one quote. Returns
 * the number of bytes written to out[field.end - field.at]. */
size_t cs_records_unquote(cs_word_span field, char *out);

/* Free the memory of a table; a zeroed table is allowed. */
void cs_table_free(cs_table *table);
