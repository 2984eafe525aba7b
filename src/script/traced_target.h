/* A target whose log density is a Lua function that is called once. */
#ifndef CS_SCRIPT_TRACED_TARGET_H
#define CS_SCRIPT_TRACED_TARGET_H

#include "tape/graph.h"

#include <lua.h>

/* target_trace{space=, log_density=, name=, view=}: pushes the target. */
int cs_script_traced_target(lua_State *L);

/* target_outputs(target, function, names), target_show(target, x): outputs.c */
int cs_script_target_outputs(lua_State *L);
int cs_script_target_show(lua_State *L);

/* Calls body(the function at `f`, more) with math.* that works on symbols and
 * the trace of g open (NULL: none). False: the error is on the stack. */
bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction body, int f,
                          void *more);

/* Raises the error on the stack, with advice where a library function of Lua
 * met a symbol. */
int cs_script_explain(lua_State *L);

#endif
