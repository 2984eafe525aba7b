/* The userdata of a tuner. */
#pragma once

#include "tune/tuner.h"

#include <lua.h>

/* The tuner at `index`, NULL if it is none. [borrowed] */
const cs_tuner *cs_script_to_tuner(lua_State *L, int index);
