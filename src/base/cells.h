/* Tables of results: rows of cells below typed columns. A table is written as plain
 * text, Markdown, LaTeX, HTML, CSV or JSON, a file per format; the screen draws the
 * same columns (screen/canvas/table_cells.h). The columns of a table are a const array, in
 * which a row adds a column to every format. */
#pragma once

#include "base/markup.h"

#include <stddef.h>

enum { CS_CELLS_COLUMNS = 32, CS_CELL_ROOM = 96 };

/* The type of a column's cells; for numbers, how people see them. */
typedef enum cs_column_kind {
    CS_COLUMN_WORDS,
    CS_COLUMN_NUMBER, /* `digits` significant digits, 0: four */
    CS_COLUMN_FIXED,  /* `digits` digits after the point; 0: a count */
    CS_COLUMN_SHORT   /* a few characters: 12.3k */
} cs_column_kind;

/* How the screen colours a cell: as usual, as a bad value, as an exact one. */
typedef enum cs_cell_mark {
    CS_CELL_PLAIN,
    CS_CELL_BAD,
    CS_CELL_EXACT
} cs_cell_mark;

/* A cell as a column reads it from a row. */
typedef struct cs_column_cell {
    double value, error; /* NAN: not known */
    const char *text;    /* words, or shown instead of the number; NULL: none */
    cs_cell_mark mark;
    char room[CS_CELL_ROOM]; /* space for a text that `get` makes */
} cs_column_cell;

typedef struct cs_column {
    const char *name; /* heading; NULL: only in CSV and JSON */
    const char *key;  /* key in CSV and JSON; NULL: not in them */
    cs_column_kind kind;
    int digits;
    int width; /* text: least width; screen: width with the blank after it */
    size_t at; /* offset of a const char * (words) or a double in a row */
    /* OPTIONAL. Fills the cell; `at` is then free for its use. */
    void (*get)(const struct cs_column *c, const void *row,
                cs_column_cell *cell);
    /* Key of the standard error, the double after the value; NULL: none. */
    const char *error;
    const char *missing; /* text of an unknown number; NULL: "-" */
    double most;       /* larger values are bad and end with "!"; 0: no limit */
    bool optional;     /* cs_columns_choose drops it if no row has a value */
    cs_cell_mark mark; /* of all cells that are not bad */
} cs_column;

/* A row of an array of columns: heading, key, kind (WORDS, NUMBER, FIXED, SHORT) and
 * digits; then its place or `get`, and other members. */
#define CS_COLUMN(title, id, shown, places, ...)                               \
    {                                                                          \
        .name = title, .key = id, .kind = CS_COLUMN_##shown, .digits = places, \
        __VA_ARGS__                                                            \
    }
#define CS_AT(type, member) .at = offsetof(type, member)

/* A stored cell. */
typedef struct cs_kept_cell {
    char *text; /* shown; NULL: words that are missing [own] */
    double value, error;
} cs_kept_cell;

typedef struct cs_cells {
    const cs_column *column; /* [columns] [borrowed] */
    size_t columns, rows;
    cs_kept_cell *cell; /* [rows][columns] [own] */
    size_t room;        /* of `cell` */
    int width[CS_CELLS_COLUMNS];
    bool full; /* memory was short, and rows are missing */
    /* Plain text: blanks before a line (2) and between columns (2), and whether
     * numbers are aligned to the right (false); the owner may change them. */
    int indent, gap;
    bool right;
} cs_cells;

/* Begins without rows; columns <= CS_CELLS_COLUMNS. [own: cs_cells_fini] */
cs_cells cs_cells_begin(const cs_column *column, size_t columns);
/* Adds a row: each column reads its cell from `row`, a struct of the caller. [copied] */
void cs_cells_add(cs_cells *t, const void *row);
void cs_cells_fini(cs_cells *t);

/* Reads the cell of a column from a row. Returns its text for people, which may be
 * stored in room[CS_CELL_ROOM]. */
void cs_cell_read(const cs_column *c, const void *row, cs_column_cell *cell);
const char *cs_cell_text(const cs_column *c, const cs_column_cell *cell,
                         char *room);

/* ---- formats: they append to the page, and set its `full` if rows are missing ---- */

/* Plain text (m NULL) or a markup. */
void cs_cells_put(const cs_cells *t, const cs_markup *m, cs_page *p);
void cs_cells_mark_up(const cs_cells *t, const cs_markup *m, cs_page *p);
/* A line of plain text, cleaned for a terminal: the headings (i 0) or row i - 1. */
void cs_cells_line(const cs_cells *t, size_t i, cs_page *p);

/* CSV with the quotes of RFC 4180: all of it, the line of keys, the rows. Numbers read
 * back as the same double; an unknown one is an empty field. */
void cs_cells_csv(const cs_cells *t, cs_page *p);
void cs_cells_csv_head(const cs_cells *t, cs_page *p);
void cs_cells_csv_rows(const cs_cells *t, cs_page *p);

/* JSON: the objects of an array, each after the text `before`; the members of row i
 * without braces. Numbers as in CSV, null if not finite; missing words have no key. */
void cs_cells_json(const cs_cells *t, const char *before, cs_page *p);
void cs_cells_json_row(const cs_cells *t, size_t i, cs_page *p);

/* ---- the screen ---- */

/* Copies to out[n] the columns that are not optional or are known in one of
 * rows[count], each of `size` bytes; returns their number. */
size_t cs_columns_choose(const cs_column *all, size_t n, const void *rows,
                         size_t count, size_t size, cs_column *out);
/* Returns how many leading columns fit, the last without its blank: an array begins with
 * the most important column, and the last ones are dropped. */
size_t cs_columns_fit(const cs_column *c, size_t n, int width);
