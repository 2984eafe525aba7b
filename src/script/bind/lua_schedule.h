/* The userdata of a schedule. */
#pragma once

#include "schedule/schedule.h"

#include <lua.h>

/* The schedule at `index`, NULL if it is none. [borrowed] */
cs_schedule *cs_script_to_schedule(lua_State *L, int index);
/* Pushes a schedule like this one; of a function the function. */
void cs_script_push_schedule(lua_State *L, const cs_schedule *s);
