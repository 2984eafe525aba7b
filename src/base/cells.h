/* A table of texts, gathered row by row, and written as columns of plain text or in a
 * markup. */
#pragma once

#include "base/markup.h"

typedef struct cs_cells {
    size_t columns, words; /* the first `words` columns are of text */
    size_t rows;           /* the head is row 0 */
    char **cell;           /* [rows][columns] [own] */
    size_t room;           /* of `cell` */
    bool full;             /* memory was short, and rows are missing */
} cs_cells;

/* Begins with the head. [own: cs_cells_fini] */
cs_cells cs_cells_begin(const char *const *head, size_t columns, size_t words);
/* Adds a row of as many cells. [copied] */
void cs_cells_add(cs_cells *c, const char *const *cell);
void cs_cells_fini(cs_cells *c);

/* Row i as a line of plain text: two blanks before each cell, columns as wide as their
 * widest cell, but for the last. */
void cs_cells_line(const cs_cells *c, size_t i, cs_page *p);
/* The whole: in plain text (m NULL) or in a markup. p becomes full where rows are
 * missing. */
void cs_cells_put(const cs_cells *c, const cs_markup *m, cs_page *p);
