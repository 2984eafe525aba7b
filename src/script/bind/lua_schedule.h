/* The userdata of a schedule. */
#pragma once

#include "schedule/schedule.h"

#include <lua.h>

/* Returns the schedule at `index`, or NULL. [borrowed] */
cs_schedule *cs_script_to_schedule(lua_State *L, int index);
/* Pushes a copy of a schedule. If the schedule is a Lua function, pushes this
 * function instead. */
void cs_script_push_schedule(lua_State *L, const cs_schedule *s);
