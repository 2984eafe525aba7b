/* Completions of a line of Lua. */
#pragma once

#include "run/run.h"

#include <lua.h>

/* Texts "0", "1" ... that the last word of `line` could become: the table on
 * top of the stack is the world of its names, `run` (or NULL) has its arms.
 * Calls nothing but __pairs of what is sealed. May raise. */
void cs_script_complete(lua_State *L, const cs_run *run, const char *line,
                        cs_flat *out);
