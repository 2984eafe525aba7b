/* The module chainscope as Lua sees it: tables of C functions, one file a
 * userdata; the words on top of them are lua/chainscope/init.lua. */
#pragma once

#include "script/state/state.h"

/* Loads the module and leaves it where `require` finds it. Raises errors. */
void cs_script_open_module(lua_State *L);

/* For a stock Lua: require "chainscope.core". */
int luaopen_chainscope_core(lua_State *L);
