/* The userdata of a schedule. */
#ifndef CS_SCRIPT_BIND_LUA_SCHEDULE_H
#define CS_SCRIPT_BIND_LUA_SCHEDULE_H

#include "schedule/schedule.h"

#include <lua.h>

/* The schedule at `index`, NULL if it is none. [borrowed] */
cs_schedule *cs_script_to_schedule(lua_State *L, int index);
/* Pushes a schedule like this one; of a function the function. */
void cs_script_push_schedule(lua_State *L, const cs_schedule *s);

#endif
