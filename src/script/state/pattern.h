/* string.find, match, gmatch and gsub for untrusted scripts. This matcher for
 * Lua's patterns checks the script's time and memory limits while it works.
 * Lua's own matcher can run forever on a short text without calling a hook. */
#pragma once

#include <lua.h>

int cs_pattern_find(lua_State *L);
int cs_pattern_match(lua_State *L);
int cs_pattern_gmatch(lua_State *L);
int cs_pattern_gsub(lua_State *L);
