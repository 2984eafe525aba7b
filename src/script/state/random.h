/* math.random for scripts, from the streams of the open run. */
#pragma once

#include <lua.h>
#include <stdint.h>

/* Puts it in the place of Lua's own. A stock Lua keeps what it has. */
void cs_script_open_random(lua_State *L);

/* From now on numbers follow from this seed and step. */
void cs_script_random_at(lua_State *L, uint64_t seed, uint64_t step);
