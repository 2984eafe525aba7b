/* What a stranger's script may call. */
#pragma once

#include "script/state/state.h"

/* Opens the libraries in L and, unless trusted, removes and wraps what could
 * reach files, run bytecode, or loop in C beyond the reach of hooks. */
void cs_sandbox_open(lua_State *L, bool trust);

/* Pushes a fresh environment with copies of what is allowed; `require` is not
 * among it (script/state/read.h). */
void cs_sandbox_environment(lua_State *L);

/* luaL_loadbufferx of a text, looking at the limits while it compiles. */
int cs_sandbox_load(lua_State *L, const char *text, size_t size,
                    const char *name);
