/* Restricts the functions that untrusted scripts can call. */
#pragma once

#include "script/state/state.h"

/* Opens the libraries in L. Unless `trust`, removes or wraps functions that
 * could access files, run bytecode, or loop in C without calling hooks. */
void cs_sandbox_open(lua_State *L, bool trust);

/* Pushes a new environment with copies of the allowed functions. The
 * environment has no `require`; script/state/read.h adds this function. */
void cs_sandbox_environment(lua_State *L);

/* Behaves like luaL_loadbufferx for text chunks, and checks the script's time
 * and memory limits during compilation. */
int cs_sandbox_load(lua_State *L, const char *text, size_t size,
                    const char *name);
