/* Symbols of a traced function: userdata in place of a state while a log
 * density is called once; and cs.math, which works on symbols and equally on
 * numbers, lists and lists of lists. */
#pragma once

#include "expr/graph.h"

#include <lua.h>

/* Opens a trace into graph g [borrowed] until cs_script_trace_close; only one
 * can be open. Symbols of a closed trace are rejected. */
void cs_script_trace_open(lua_State *L, cs_graph *g);
void cs_script_trace_close(lua_State *L);

/* Pushes a symbol of the open trace: a vector, or a number. */
void cs_script_push_expression(lua_State *L, cs_node node);
void cs_script_push_symbol_number(lua_State *L, cs_node node);

/* Name of a symbol in Lua's error messages. */
#define CS_SYMBOL "symbol"
bool cs_script_is_symbol(lua_State *L, int index);

/* Pushes a list of n numbers with arithmetic: a vector as cs.math makes it from
 * plain numbers. */
void cs_script_push_vector(lua_State *L, const double *x, size_t n);

/* Makes the list of numbers on top such a vector. */
void cs_script_make_vector(lua_State *L);

/* Returns the value at `index` as a node of the open trace: a symbol, a number,
 * or a list of these. Raises an error that names the script's line. */
cs_node cs_script_to_node(lua_State *L, int index);

/* Adds to the table on top: math, the functions of cs.math written in C;
 * math_rows, { name, arguments, help } of each; sparse; tracing, whether a
 * trace is open; rank, of a value. */
void cs_script_open_expression(lua_State *L);
