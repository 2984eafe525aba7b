/* Where a scenario's files are: beneath its own folder or the data folders. */
#pragma once

#include "base/param.h"

#include <lua.h>
#include <stdbool.h>

/* Pushes the path of the file that `text` means. May raise, as below. */
void cs_script_push_path(lua_State *L, const char *text);

/* Pushes the path of a file beneath the script's own folder; whether it is
 * there, once links are followed. */
bool cs_script_push_beneath(lua_State *L, const char *text);

/* As Lua has it, has_file(name): whether there is a file under that path. */
int cs_script_has_file(lua_State *L);

/* As Lua has it, files_asked(): the data files that the script has asked for so far: a
 * list of { name =, sum = }, without sum where there is no such file. */
int cs_script_files_asked(lua_State *L);

/* Replaces relative paths in the parameters that are CS_PARAM_PATH by
 * those of files that exist; a stranger's script may give no others. May
 * raise; the texts live in a value pushed on the stack. */
void cs_script_resolve_paths(lua_State *L, const cs_param *rows, size_t n_rows,
                             cs_value *values, size_t n);
