/* Files that a script reads: data for cs.read_table and cs.read_json, modules
 * in the script's folder, and the text of the script itself. */
#pragma once

#include <lua.h>

/* Adds read_table, read_json and source to the table on top of the stack. */
void cs_script_open_read(lua_State *L);

/* Pushes a `require` that reads text files in the script's folder and runs them
 * in the environment at stack index `world`. */
void cs_script_push_require(lua_State *L, int world);

/* Makes Lua's own `require` search the script's folder first. */
void cs_script_trust_folder(lua_State *L, const char *folder);
