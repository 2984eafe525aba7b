/* Completes a line of Lua. */
#pragma once

#include "run/arms/spec.h"

#include <lua.h>

/* Writes completions of the last word of `line` as strings under the keys "0",
 * "1" ... The completions are names in the table on top of the stack, and names
 * of arms of `run` (or NULL). Calls no functions except __pairs of sealed
 * tables. May raise errors. */
void cs_script_complete(lua_State *L, const cs_run *run, const char *line,
                        cs_flat *out);
