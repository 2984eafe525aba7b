/* Calls a script's function with symbols, or with numbers. */
#pragma once

#include "expr/graph.h"
#include "target/space.h"

#include <lua.h>
#include <stdint.h>

enum {
    CS_TRACE_NODES = 1 << 22 /* limit; a trace with more nodes is treated as
                                 * an endless loop */
};

/* Runs the C function `call` in protected mode. Its arguments are the function
 * at stack index f and the light userdata `task`. During the call a trace into
 * g is open (NULL: no trace), and math.* accepts symbols. On failure the error
 * value is on the stack. */
bool cs_script_run_traced(lua_State *L, cs_graph *g, lua_CFunction call, int f,
                          void *task);

/* Calls f with the values on the stack and returns the one result of f. During
 * the call math.* accepts symbols, so that traces within f need not replace the
 * functions of math again. */
int cs_script_with_symbolic_math(lua_State *L, lua_CFunction f);

/* Returns a hint for a Lua error that was caused by a symbol; NULL for other
 * errors. */
const char *cs_script_advice(const char *text);

/* Raises the error on the stack. If the cause is a symbol that was passed to a
 * library function of Lua, adds a hint. */
int cs_script_explain(lua_State *L);

/* True if a value from the trace and a value from a call agree up to
 * rounding. */
bool cs_script_alike(double a, double b);

/* Writes test state number k of the space to x. */
void cs_script_check_point(const cs_space *space, uint64_t k, double *x);
