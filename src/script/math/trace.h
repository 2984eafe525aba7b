/* Calling a script's function once with symbols, and again with numbers. */
#pragma once

#include "expr/graph.h"
#include "target/space.h"

#include <lua.h>
#include <stdint.h>

enum { CS_TRACE_NODES = 1 << 22 /* more: a runaway loop */ };

/* Runs call(function at f, light userdata `task`), protected, with a trace
 * into g open (NULL: none) and math.* knowing symbols. On failure the error value is on the
 * stack. */
bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction call, int f,
                          void *task);

/* Calls f with what is on the stack and returns its one result. Throughout,
 * math.* is symbolic: traces made inside need not exchange it each time. */
int cs_script_with_symbolic_math(lua_State *L, lua_CFunction f);

/* What to do about an error of Lua that met a symbol; NULL: about another. */
const char *cs_script_advice(const char *text);

/* Raises the error on the stack, with advice where a library function of Lua
 * met a symbol. */
int cs_script_explain(lua_State *L);

/* Whether a value and its traced twin are the same but for rounding. */
bool cs_script_alike(double a, double b);

/* A state of the space, number k of those that are checked. */
void cs_script_check_point(const cs_space *space, uint64_t k, double *x);
