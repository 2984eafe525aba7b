/* Whether a function keeps something from one call to the next. */
#pragma once

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the function at `index`, or one that it captures, changes a variable that it
 * captures, or a global: its name and place to what[size]. Read from its code; what it
 * changes in a table is not seen. */
bool cs_script_writes(lua_State *L, int index, char *what, size_t size);

/* Notes that the function at `index`, called `name`, is called within steps; and pushes
 * those that were noted and still are: a table of their names by function. */
void cs_script_note_chain_function(lua_State *L, int index, const char *name);
void cs_script_push_chain_functions(lua_State *L);
