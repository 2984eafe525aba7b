/* Calls of a script's function with symbols, and again with numbers. */
#pragma once

#include "expr/graph.h"
#include "target/space.h"

#include <lua.h>
#include <stdint.h>

enum { CS_TRACE_NODES = 1 << 22 /* more: a runaway loop */ };

/* Runs call(function at f, light userdata `task`), protected, with a trace into
 * g open (NULL: none) and math.* accepting symbols. On failure the error value
 * is on the stack. */
bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction call, int f,
                          void *task);

/* Calls f with the values on the stack and returns its one result. Meanwhile
 * math.* accepts symbols, so that traces inside need not replace it each
 * time. */
int cs_script_with_symbolic_math(lua_State *L, lua_CFunction f);

/* Returns a hint for an error of Lua caused by a symbol; NULL for other
 * errors. */
const char *cs_script_advice(const char *text);

/* Raises the error on the stack, with a hint if a library function of Lua got a
 * symbol. */
int cs_script_explain(lua_State *L);

/* True if a plain and a traced value agree up to rounding. */
bool cs_script_alike(double a, double b);

/* Returns test state number k of the space. */
void cs_script_check_point(const cs_space *space, uint64_t k, double *x);
