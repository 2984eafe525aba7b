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

/* cs_script_read_space reads the field `space` = {kind, dim, low, values} or,
 * for a mixed space, {kind, dim, parts}, of the table at `fields`. The parts
 * are valid while this table exists, until the next call. cs_script_named_parts
 * returns the same states as parts with the names of discrete parameters, if
 * the field has `parts`. cs_script_read_description sets the name, view and
 * picture of a target, if these fields are given. */
void cs_script_read_space(lua_State *L, int fields, cs_space *space);
cs_space cs_script_named_parts(lua_State *L, int fields, const cs_space *space);
void cs_script_read_description(lua_State *L, int fields, cs_target *t);
