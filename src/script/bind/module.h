/* The Lua module chainscope: tables of C functions, one source file per
 * userdata. The Lua files in lua/chainscope build the functions of scripts on
 * these tables. */
#pragma once

#include "script/state/state.h"

/* Loads the module and registers it for `require`. Raises errors. */
void cs_script_open_module(lua_State *L);

/* Entry point for an ordinary Lua interpreter: require "chainscope.core". */
int luaopen_chainscope_core(lua_State *L);

/* Pushes the function `name` that the module chainscope has for the program. */
void cs_script_push_word(lua_State *L, const char *name);
