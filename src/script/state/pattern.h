/* string.find, match, gmatch and gsub for a stranger: Lua's patterns, matched
 * by code that looks at the limits while it works. Lua's own matcher can go on
 * for ever on a short text, and no hook runs meanwhile. */
#pragma once

#include <lua.h>

int cs_pattern_find(lua_State *L);
int cs_pattern_match(lua_State *L);
int cs_pattern_gmatch(lua_State *L);
int cs_pattern_gsub(lua_State *L);
