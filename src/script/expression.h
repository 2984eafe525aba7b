/* Symbols of a traced function: the userdata that stands for a state while a
 * log density is called once, and cs.math, which works on it and on numbers. */
#ifndef CS_SCRIPT_EXPRESSION_H
#define CS_SCRIPT_EXPRESSION_H

#include "tape/graph.h"

#include <lua.h>

/* Opens a trace into graph g [borrowed] until cs_script_trace_close; at most
 * one is open at a time. Symbols of a closed trace are refused. */
void cs_script_trace_open(lua_State *L, cs_graph *g);
void cs_script_trace_close(lua_State *L);

/* Pushes a symbol of the open trace. */
void cs_script_push_expression(lua_State *L, cs_node node);

/* The value at `index` as a node of the open trace: a symbol, a number, or a
 * list of those. Raises an error that names the script's line. */
cs_node cs_script_to_node(lua_State *L, int index);

/* Replaces the functions of the table at `math` that cs.math has too by those
 * of cs.math, which do the same with numbers; the replaced ones are kept in
 * the table at `old` (0: not kept). No table at `math`: nothing is done. */
void cs_script_overlay_math(lua_State *L, int math, int old);
/* Copies the fields of the table at `from` to the one at `to`. */
void cs_script_copy_fields(lua_State *L, int to, int from);

/* Adds to the table on top of the stack: math, the functions of cs.math that
 * are written in C. */
void cs_script_open_expression(lua_State *L);

#endif
