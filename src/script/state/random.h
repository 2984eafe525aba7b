/* math.random for scripts, from streams of the open run. */
#pragma once

#include <lua.h>
#include <stdint.h>

/* Replaces Lua's math.random; not in a stock Lua. */
void cs_script_open_random(lua_State *L);

/* Sets the seed and step of the numbers drawn from now on. */
void cs_script_random_at(lua_State *L, uint64_t seed, uint64_t step);
