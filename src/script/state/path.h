/* Finds the files of a scenario, in the scenario's own folder or in the data
 * folders. */
#pragma once

#include "base/param.h"

#include <lua.h>
#include <stdbool.h>

/* Pushes the path of the file named `text`. May raise an error, like
 * cs_script_resolve_paths. */
void cs_script_push_path(lua_State *L, const char *text);

/* Pushes the path of a file. Returns true if the file exists and is inside the
 * script's folder after symbolic links are resolved. Raises an error if scripts
 * may not read files. */
bool cs_script_push_beneath(lua_State *L, const char *text);

/* Lua: has_file(name): returns true if the file exists. */
int cs_script_has_file(lua_State *L);

/* Lua: files_asked(): returns the data files that the script has requested so
 * far, as a list of { name =, sum = }. `sum` is omitted for a file that does
 * not exist. */
int cs_script_files_asked(lua_State *L);

/* Replaces relative paths in CS_PARAM_PATH parameters by paths of existing
 * files. An untrusted script may give only relative paths. May raise an error.
 * Pushes a value that owns the strings. */
void cs_script_resolve_paths(lua_State *L, const cs_param *rows, size_t n_rows,
                             cs_value *values, size_t n);
