/* The data table of a target that is a sum over rows: columns given by a
 * script, and columns of a file. */
#pragma once

#include "data/table.h"
#include "tape/terms.h"

#include <lua.h>

/* A column: for each row a number (width 0) or a vector of `width` numbers. */
typedef struct cs_term_column {
    char *name; /* [own] */
    size_t width;
    size_t first; /* index in `number` of the column's first number */
} cs_term_column;

typedef struct cs_term_data {
    size_t rows, n; /* n: number of columns */
    cs_term_column *column;
    size_t width;       /* numbers per row */
    cs_strided *number; /* [width] */
    double **own;       /* [n] numbers of columns given by the script */
    cs_table file;
    size_t column_capacity, number_capacity, aux_capacity;
} cs_term_data;

/* Reads the field `data` of the table at `fields`. The field is the name of a
 * CSV file, a list of rows { NAME = number or vector, ... }, or a table of
 * columns. This table has entries NAME = list of numbers and NAME = list of
 * vectors. It may also have the entry file = "a CSV file", with entries
 * NAME = "column" and NAME = { "column", ... }. Pushes the owner; raises
 * errors. [borrowed until the owner is collected] */
cs_term_data *cs_script_read_data(lua_State *L, int fields);
