/* A target whose log density is a Lua function that is called once. */
#ifndef CS_SCRIPT_BIND_TRACED_TARGET_H
#define CS_SCRIPT_BIND_TRACED_TARGET_H

#include <lua.h>

/* target_trace{space=, log_density=, name=, view=}: pushes the target. */
int cs_script_traced_target(lua_State *L);

/* target_outputs(target, function, names), target_show(target, x): outputs.c */
int cs_script_target_outputs(lua_State *L);
int cs_script_target_show(lua_State *L);

#endif
