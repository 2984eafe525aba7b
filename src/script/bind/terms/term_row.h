/* The argument `row` of a script's function: row.NAME for each column. */
#pragma once

#include "expr/graph.h"
#include "script/bind/terms/term_data.h"

#include <lua.h>

/* Pushes row number `row` of the table; `d` must outlive the row. */
void cs_script_push_row(lua_State *L, const cs_term_data *d, size_t row);

/* Pushes a row of symbols: elements of g's input, starting at index `dim`. */
void cs_script_push_symbolic_row(lua_State *L, cs_graph *g, size_t dim,
                                 const cs_term_data *d);

/* Returns true if the value at `index` is the symbol of a column of data. */
bool cs_script_is_column(lua_State *L, int index);

/* The value at `index` may be the symbol of a column of data, and `kind` is
 * "count", "whole", "bit" or "index". Returns the number, from 1, of the first
 * row whose value is not of this kind, and sets *value to that value. Returns 0
 * if there is no such row, or if the value is not the symbol of a column. */
size_t cs_script_column_lacks(lua_State *L, int index, const char *kind,
                              double *value);

/* Replaces the values of the row at stack index `row`, pushed by
 * cs_script_push_row. */
void cs_script_change_row(lua_State *L, int row, const cs_term_data *d,
                          size_t to);
