/* The userdata of a tuner. */
#ifndef CS_SCRIPT_BIND_LUA_TUNER_H
#define CS_SCRIPT_BIND_LUA_TUNER_H

#include "tune/tuner.h"

#include <lua.h>

/* The tuner at `index`, NULL if it is none. [borrowed] */
const cs_tuner *cs_script_to_tuner(lua_State *L, int index);

#endif
