/* What a target says of a point: target:log_density(x), target:gradient(x),
 * target:hessian(x), target:hessian_times(x, v), target:eigenvalues(x). */
#ifndef CS_SCRIPT_BIND_LUA_DERIVATIVES_H
#define CS_SCRIPT_BIND_LUA_DERIVATIVES_H

#include <lua.h>
#include <stdbool.h>

/* Pushes the method `name` and returns true; false and nothing pushed if it
 * is none of them. */
bool cs_script_derivatives(lua_State *L, const char *name);

/* points(f): f(what, target, x) makes a list of a table of names. */
int cs_script_points(lua_State *L);

#endif
