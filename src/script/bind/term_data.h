/* The table of a target that is a sum over rows: columns of a script's own,
 * and columns of a file. */
#pragma once

#include "data/table.h"
#include "tape/terms.h"

#include <lua.h>

/* A column: in every row a number (width 0) or a vector of so many. */
typedef struct cs_term_column {
    char *name; /* [own] */
    size_t width;
    size_t first; /* of its numbers, in `number` */
} cs_term_column;

typedef struct cs_term_data {
    size_t rows, n; /* of columns */
    cs_term_column *column;
    size_t width;       /* numbers in a row */
    cs_strided *number; /* [width] */
    double **own;       /* [n] the numbers of a script's own columns */
    cs_table file;
    size_t room_columns, room_numbers, room_aux;
} cs_term_data;

/* Reads the field `data` of the table at `fields`: the name of a CSV file, or
 * a table { NAME = list of numbers, NAME = list of vectors, and, with file =
 * "a CSV file", NAME = "column", NAME = { "column", ... } }. Pushes what owns
 * it; raises errors. [borrowed until that is collected] */
cs_term_data *cs_script_read_data(lua_State *L, int fields);
