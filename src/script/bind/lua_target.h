/* The userdata of a target. */
#pragma once

#include "target/target.h"

#include <lua.h>

/* Returns the target at `index`, or NULL. [borrowed] */
cs_target *cs_script_to_target(lua_State *L, int index);
/* Pushes a target. Its reference count increases by one. */
void cs_script_push_target(lua_State *L, cs_target *t);

/* Pushes the list of the names of the coordinates. */
void cs_script_push_coordinates(lua_State *L, const cs_target *t);

/* Pushes the table of methods of targets, target:NAME(...). */
void cs_script_push_target_methods(lua_State *L);

/* cs_script_read_space reads the field `space` = {kind, dim, low, values} of
 * the table at `fields`. cs_script_read_description sets the name, view and
 * picture of a target, if these fields are given. */
void cs_script_read_space(lua_State *L, int fields, cs_space *space);
void cs_script_read_description(lua_State *L, int fields, cs_target *t);
