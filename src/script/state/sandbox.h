/* Restrictions on untrusted scripts. */
#pragma once

#include "script/state/state.h"

/* Opens the libraries in L and, unless trusted, removes or wraps functions that
 * could reach files, run bytecode, or loop in C where no hook runs. */
void cs_sandbox_open(lua_State *L, bool trust);

/* Pushes a new environment with copies of the allowed functions, without
 * `require` (script/state/read.h). */
void cs_sandbox_environment(lua_State *L);

/* luaL_loadbufferx for a text, testing the limits while it compiles. */
int cs_sandbox_load(lua_State *L, const char *text, size_t size,
                    const char *name);
