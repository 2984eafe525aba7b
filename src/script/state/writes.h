/* Detects functions that keep state between calls. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns true if the function at `index`, or a function that it captures,
 * assigns to a captured variable or to a global. Writes the name of this
 * variable, and the file and line of the function, to what[size]. Reads only
 * the code, and therefore does not detect changes inside tables. */
bool cs_script_writes(lua_State *L, int index, char *what, size_t size);

/* cs_script_note_chain_function records that the function at `index`, named
 * `name`, is called within steps. cs_script_push_chain_functions pushes the
 * recorded functions that still exist, as a table from function to name. */
void cs_script_note_chain_function(lua_State *L, int index, const char *name);
void cs_script_push_chain_functions(lua_State *L);
