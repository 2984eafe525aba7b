/* The userdata of a tuner. */
#pragma once

#include "tune/tuner.h"

#include <lua.h>

/* Returns the tuner at `index`, or NULL. [borrowed] */
const cs_tuner *cs_script_to_tuner(lua_State *L, int index);
