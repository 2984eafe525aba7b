/* Detects functions that keep state between calls. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* True if the function at `index`, or one that it captures, assigns to a
 * captured variable or a global; writes its name and place to what[size]. Read
 * from the code; changes inside tables are not detected. */
bool cs_script_writes(lua_State *L, int index, char *what, size_t size);

/* Notes that the function at `index`, called `name`, is called within steps.
 * The second function pushes the noted functions that still exist: a table of
 * names by function. */
void cs_script_note_chain_function(lua_State *L, int index, const char *name);
void cs_script_push_chain_functions(lua_State *L);
