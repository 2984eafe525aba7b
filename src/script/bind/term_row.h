/* What a script's function of a row is given: row.NAME of each column. */
#pragma once

#include "expr/graph.h"
#include "script/bind/term_data.h"

#include <lua.h>

/* Pushes row number `row` of the table; `d` must stay. */
void cs_script_push_row(lua_State *L, const cs_term_data *d, size_t row);

/* Pushes a row of symbols: elements of g's input from `dim` on. */
void cs_script_push_symbolic_row(lua_State *L, cs_graph *g, size_t dim,
                                 const cs_term_data *d);

/* Makes the row at `row`, which cs_script_push_row pushed, another one. */
void cs_script_change_row(lua_State *L, int row, const cs_term_data *d,
                          size_t to);
