/* What a tuner leaves behind, as tables. */
#ifndef CS_SCRIPT_BIND_LUA_PLAN_H
#define CS_SCRIPT_BIND_LUA_PLAN_H

#include <lua.h>

void cs_script_open_plan(lua_State *L);

#endif
