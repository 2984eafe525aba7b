/* Locations of a scenario's files: in its own folder or the data folders. */
#pragma once

#include "base/param.h"

#include <lua.h>
#include <stdbool.h>

/* Pushes the path of the file that `text` names. May raise, as below. */
void cs_script_push_path(lua_State *L, const char *text);

/* Pushes the path of a file in the script's folder; returns whether it exists,
 * after links are followed. */
bool cs_script_push_beneath(lua_State *L, const char *text);

/* Lua: has_file(name): whether a file exists under that path. */
int cs_script_has_file(lua_State *L);

/* Lua: files_asked(): the data files that the script has requested so far: a
 * list of { name =, sum = }, without sum if the file does not exist. */
int cs_script_files_asked(lua_State *L);

/* Replaces relative paths in CS_PARAM_PATH parameters by paths of existing
 * files; an untrusted script may give no others. May raise; the texts are owned
 * by a value pushed on the stack. */
void cs_script_resolve_paths(lua_State *L, const cs_param *rows, size_t n_rows,
                             cs_value *values, size_t n);
