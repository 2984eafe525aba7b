/* math.random for scripts. The numbers are from streams of the open run. */
#pragma once

#include <lua.h>
#include <stdint.h>

/* Replaces Lua's math.random; not used in an ordinary Lua interpreter. */
void cs_script_open_random(lua_State *L);

/* Sets the seed and step for the following numbers. */
void cs_script_random_at(lua_State *L, uint64_t seed, uint64_t step);
