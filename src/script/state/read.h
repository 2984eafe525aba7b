/* What a script reads: cs.read_table, cs.read_json, modules beside it, its own
 * text. */
#pragma once

#include <lua.h>

/* Adds read_table, read_json and source to the table on top. */
void cs_script_open_read(lua_State *L);

/* Pushes a `require` that reads files beneath the script's folder, as text and
 * in the world at `world`. */
void cs_script_push_require(lua_State *L, int world);

/* Lua's own `require` looks into that folder first. */
void cs_script_trust_folder(lua_State *L, const char *folder);
