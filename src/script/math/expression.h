/* Symbols that replace the state while a log density is called once to trace
 * it; and cs.math, whose functions accept symbols, numbers, lists and lists of
 * lists. */
#pragma once

#include "expr/graph.h"

#include <lua.h>

/* Opens a trace, which is recorded in graph g [borrowed], until
 * cs_script_trace_close. Only one trace can be open at a time. Symbols of a
 * closed trace are rejected. */
void cs_script_trace_open(lua_State *L, cs_graph *g);
void cs_script_trace_close(lua_State *L);

/* Pushes a symbol of the open trace: a vector, or a number. */
void cs_script_push_expression(lua_State *L, cs_node node);
void cs_script_push_symbol_number(lua_State *L, cs_node node);

/* Name of a symbol in Lua's error messages. */
#define CS_SYMBOL "symbol"
bool cs_script_is_symbol(lua_State *L, int index);

/* Pushes a list of n numbers as a vector, which supports arithmetic operators
 * and is also what cs.math returns for plain numbers. */
void cs_script_push_vector(lua_State *L, const double *x, size_t n);

/* Converts the list of numbers on top of the stack to a vector with arithmetic
 * operators. */
void cs_script_make_vector(lua_State *L);

/* Returns the value at `index` as a node of the open trace. The value must be a
 * symbol, a number, or a list of symbols and numbers. Raises an error that
 * names the script's line. */
cs_node cs_script_to_node(lua_State *L, int index);

/* Adds the functions of cs.ode to the table on top of the stack. */
void cs_script_open_ode(lua_State *L);

/* Lua: returns the node of the argument, as cs_script_to_node does. */
int cs_script_node_of(lua_State *L);

/* Adds five fields to the table on top of the stack. math: the functions of
 * cs.math written in C. math_rows: { name, arguments, help } for each of these
 * functions. sparse: creates a sparse matrix. tracing: returns whether a trace
 * is open. rank: returns the rank of a value. */
void cs_script_open_expression(lua_State *L);
