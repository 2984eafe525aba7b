/* Tables of results: rows of cells in typed columns. Each table can be written
 * as plain text, Markdown, LaTeX, HTML, CSV or JSON, with one source file per
 * format. The screen displays the same columns (screen/canvas/table_cells.h).
 * The columns of a table are a const array. Adding an entry to this array adds
 * a column to every format. */
#pragma once

#include "base/markup.h"

#include <stddef.h>

enum { CS_CELLS_COLUMNS = 48, CS_CELL_ROOM = 96 };

/* The type of a column's cells. For a column of numbers, the type selects how
 * the numbers are printed. */
typedef enum cs_column_kind {
    CS_COLUMN_WORDS,
    CS_COLUMN_NUMBER, /* `digits` significant digits; 0 means four */
    CS_COLUMN_FIXED,  /* `digits` decimal places; 0 for a count */
    CS_COLUMN_SHORT   /* abbreviated: 12.3k */
} cs_column_kind;

/* How the screen colours a cell: as a normal value, as a bad value, or as an
 * exact value. */
typedef enum cs_cell_mark {
    CS_CELL_PLAIN,
    CS_CELL_BAD,
    CS_CELL_EXACT
} cs_cell_mark;

/* A cell that a column computes from a row. */
typedef struct cs_column_cell {
    double value, error; /* NAN if not known */
    const char *text;    /* words, or a string that replaces the number; NULL:
                          * none */
    cs_cell_mark mark;
    char buffer[CS_CELL_ROOM]; /* memory for a string that `get` creates */
} cs_column_cell;

typedef struct cs_column {
    const char *name; /* heading; NULL: the column is only in CSV and JSON */
    const char *key;  /* key in CSV and JSON; NULL: the column is in neither */
    cs_column_kind kind;
    int digits;
    int width; /* minimum width in plain text; on the screen, the width
                * including the blank after the cell */
    size_t at; /* offset of the value in a row; the value is a const char *
                * (for words) or a double */
    /* Fills the cell; NULL: the cell is read from `at`. The function may use
     * the member `at` for another purpose. */
    void (*get)(const struct cs_column *c, const void *row,
                cs_column_cell *cell);
    /* Key of the standard error, which is the double after the value; NULL: the
     * column has no standard error. */
    const char *error;
    const char *missing; /* text for an unknown number; NULL: "-" */
    double most;         /* larger values are bad and get the mark "!"; 0: no
                          * limit */
    bool optional;     /* true: cs_columns_choose drops the column if no row has
                        * a value */
    cs_cell_mark mark; /* colour of all cells except bad values */
} cs_column;

/* Initializes one cs_column. Arguments: heading, key, kind (WORDS, NUMBER,
 * FIXED, SHORT), digits, and initializers of `at` or `get` and of other
 * members. */
#define CS_COLUMN(title, id, shown, places, ...)                               \
    {                                                                          \
        .name = title, .key = id, .kind = CS_COLUMN_##shown, .digits = places, \
        __VA_ARGS__                                                            \
    }
#define CS_AT(type, member) .at = offsetof(type, member)

/* A stored cell. */
typedef struct cs_kept_cell {
    char *text; /* text to print; NULL: the cell of words is missing [own] */
    double value, error;
} cs_kept_cell;

typedef struct cs_cells {
    const cs_column *column; /* [columns] [borrowed] */
    size_t columns, rows;
    cs_kept_cell *cell; /* [rows][columns] [own] */
    size_t capacity;    /* capacity of `cell` */
    int width[CS_CELLS_COLUMNS];
    bool full; /* out of memory: some rows are missing */
    /* Layout of plain text: the number of blanks before a line (default 2) and
     * between columns (default 2), and whether numbers are right-aligned
     * (default false). The owner may change these values. */
    int indent, gap;
    bool right;
} cs_cells;

/* Starts a table without rows; columns <= CS_CELLS_COLUMNS. [own:
 * cs_cells_fini] */
cs_cells cs_cells_begin(const cs_column *column, size_t columns);
/* Adds a row to the table: each column reads its cell from `row`, a struct that
 * the caller defines. [copied] */
void cs_cells_add(cs_cells *t, const void *row);
void cs_cells_fini(cs_cells *t);

/* Reads a column's cell from a row. Returns the text to print, which may be
 * stored in scratch[CS_CELL_ROOM]. */
void cs_cell_read(const cs_column *c, const void *row, cs_column_cell *cell);
const char *cs_cell_text(const cs_column *c, const cs_column_cell *cell,
                         char *scratch);

/* ---- formats: each function appends to the page, and sets `full` of the page
 * if rows are missing ---- */

/* Writes the table as plain text (m is NULL) or in a markup language. */
void cs_cells_put(const cs_cells *t, const cs_markup *m, cs_page *p);
void cs_cells_mark_up(const cs_cells *t, const cs_markup *m, cs_page *p);
/* Writes a line of plain text that is safe for a terminal: the headings if i =
 * 0, otherwise row i - 1. */
void cs_cells_line(const cs_cells *t, size_t i, cs_page *p);

/* Write CSV, quoted as in RFC 4180: the whole table, the line of keys, or the
 * rows. Numbers are written so that they read back as the same double; an
 * unknown number is an empty field. */
void cs_cells_csv(const cs_cells *t, cs_page *p);
void cs_cells_csv_head(const cs_cells *t, cs_page *p);
void cs_cells_csv_rows(const cs_cells *t, cs_page *p);

/* Write JSON: all rows as objects of an array, each preceded by the string
 * `before`, or row i as members without braces. Numbers are written as in CSV,
 * or as null if not finite. If a string is missing, its key is omitted, too. */
void cs_cells_json(const cs_cells *t, const char *before, cs_page *p);
void cs_cells_json_row(const cs_cells *t, size_t i, cs_page *p);

/* ---- the screen ---- */

/* Copies columns to out[n]. Leaves out an optional column if no row has a value
 * for this column. The rows are rows[count], structs of `size` bytes. Returns
 * the number of columns copied. */
size_t cs_columns_choose(const cs_column *all, size_t n, const void *rows,
                         size_t count, size_t size, cs_column *out);
/* Returns the number of leading columns that fit into `width`; the last of them
 * needs no blank after it. The columns must be sorted by importance, so that
 * the least important columns are dropped. */
size_t cs_columns_fit(const cs_column *c, size_t n, int width);
