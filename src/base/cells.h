/* Tables: rows of cells below typed columns, written as plain text, Markdown, LaTeX,
 * HTML, CSV or JSON. The screen draws the same columns (screen/canvas/table_cells.h). A
 * column is a row of a const array: adding that row adds the column everywhere. */
#pragma once

#include "base/markup.h"

#include <stddef.h>

enum { CS_CELLS_COLUMNS = 32, CS_CELL_ROOM = 96 };

/* What the cells of a column are, and how a number is written for people. */
typedef enum cs_column_kind {
    CS_COLUMN_WORDS,
    CS_COLUMN_NUMBER, /* `digits` significant digits, 0: four */
    CS_COLUMN_FIXED,  /* `digits` digits after the point; 0: a count */
    CS_COLUMN_SHORT   /* as short as can be: 12.3k */
} cs_column_kind;

/* Colours of the screen: a bad value, an exact one. */
typedef enum cs_cell_mark {
    CS_CELL_PLAIN,
    CS_CELL_BAD,
    CS_CELL_EXACT
} cs_cell_mark;

typedef struct cs_column_cell {
    double value, error; /* NAN: not known */
    const char *text; /* words, or shown in place of the number; NULL: none */
    cs_cell_mark mark;
    char room[CS_CELL_ROOM]; /* for a text that `get` writes */
} cs_column_cell;

typedef struct cs_column {
    const char *name; /* heading; NULL: only in CSV and JSON */
    const char *key;  /* in CSV and JSON; NULL: only shown to people */
    cs_column_kind kind;
    int digits;
    int width; /* least one in text; on the screen the width, a blank included */
    size_t at; /* offset of a const char * (words) or a double in a row */
    /* OPTIONAL. Fills the cell in place of `at`, which is its own then. */
    void (*get)(const struct cs_column *c, const void *row,
                cs_column_cell *cell);
    const char
        *error; /* key of the standard error, the double behind the value's;
                          NULL: there is none */
    const char *missing; /* shown for a number that is not known; NULL: "-" */
    double most; /* what lies above is bad, and ends with "!"; 0: nothing is */
    bool optional;     /* cs_columns_choose leaves it out if no row has it */
    cs_cell_mark mark; /* of all its cells but bad ones */
} cs_column;

/* Rows of arrays of columns: heading, key, WORDS, NUMBER, FIXED or SHORT, digits, and
 * where they are; then what else there is to say. */
#define CS_COLUMN(title, id, shown, places, ...)                               \
    {                                                                          \
        .name = title, .key = id, .kind = CS_COLUMN_##shown, .digits = places, \
        __VA_ARGS__                                                            \
    }
#define CS_AT(type, member) .at = offsetof(type, member)

/* A cell of a table. */
typedef struct cs_kept_cell {
    char *text; /* for people; NULL: words that are not there [own] */
    double value, error;
} cs_kept_cell;

typedef struct cs_cells {
    const cs_column *column; /* [columns] [borrowed] */
    size_t columns, rows;
    cs_kept_cell *cell; /* [rows][columns] [own] */
    size_t room;        /* of `cell` */
    int width[CS_CELLS_COLUMNS];
    bool full; /* memory was short, and rows are missing */
    /* Of plain text: blanks before a line and between columns, and whether numbers
     * stand at the right of their columns. Two, two and false unless changed. */
    int indent, gap;
    bool right;
} cs_cells;

/* Begins without rows; columns <= CS_CELLS_COLUMNS. [own: cs_cells_fini] */
cs_cells cs_cells_begin(const cs_column *column, size_t columns);
/* Adds what the columns read from `row`, a struct of the caller's. [copied] */
void cs_cells_add(cs_cells *t, const void *row);
void cs_cells_fini(cs_cells *t);

/* Fills the cell of a column in a row; its text for people, which may be in
 * room[CS_CELL_ROOM]. */
void cs_cell_read(const cs_column *c, const void *row, cs_column_cell *cell);
const char *cs_cell_text(const cs_column *c, const cs_column_cell *cell,
                         char *room);

/* ---- formats: each adds to the page, which is full where rows are missing ---- */

/* Plain text (m NULL) or a markup, in which a table ends with an empty line. */
void cs_cells_put(const cs_cells *t, const cs_markup *m, cs_page *p);
void cs_cells_mark_up(const cs_cells *t, const cs_markup *m, cs_page *p);
/* A line of plain text, cleaned for a terminal: the headings (i 0) or row i - 1. */
void cs_cells_line(const cs_cells *t, size_t i, cs_page *p);

/* CSV, quoted as RFC 4180 has it: both, the keys, the rows. Numbers have the digits that read
 * back as the same; what is not known is empty. */
void cs_cells_csv(const cs_cells *t, cs_page *p);
void cs_cells_csv_head(const cs_cells *t, cs_page *p);
void cs_cells_csv_rows(const cs_cells *t, cs_page *p);

/* JSON: the objects of an array, `before` in front of each; row i without its
 * braces. Numbers as in CSV, null where they are not finite; the key of words that
 * are not there is left out. */
void cs_cells_json(const cs_cells *t, const char *before, cs_page *p);
void cs_cells_json_row(const cs_cells *t, size_t i, cs_page *p);

/* ---- the screen ---- */

/* Copies the columns to out[n] but those that are optional and not known in any of
 * rows[count], which are `size` bytes each; returns how many. */
size_t cs_columns_choose(const cs_column *all, size_t n, const void *rows,
                         size_t count, size_t size, cs_column *out);
/* How many columns fit, the last without its blank: what does not is left out from
 * the end, so that the most telling column comes first. */
size_t cs_columns_fit(const cs_column *c, size_t n, int width);
