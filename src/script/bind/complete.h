/* Completions of a line of Lua. */
#pragma once

#include "run/arms/spec.h"

#include <lua.h>

/* Writes texts "0", "1" ...: completions of the last word of `line`. The table
 * on top of the stack has the names, `run` (or NULL) the arms. Calls nothing
 * except __pairs of sealed tables. May raise. */
void cs_script_complete(lua_State *L, const cs_run *run, const char *line,
                        cs_flat *out);
