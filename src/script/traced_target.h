/* A target whose log density is a Lua function that is called once. */
#ifndef CS_SCRIPT_TRACED_TARGET_H
#define CS_SCRIPT_TRACED_TARGET_H

#include <lua.h>

/* target_trace{space=, log_density=, name=, view=}: pushes the target. */
int cs_script_traced_target(lua_State *L);

#endif
