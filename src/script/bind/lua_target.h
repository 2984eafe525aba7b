/* The userdata of a target. */
#pragma once

#include "target/target.h"

#include <lua.h>

/* The target at `index`, NULL if it is none. [borrowed] */
cs_target *cs_script_to_target(lua_State *L, int index);
/* Pushes a target, taking over one holder. */
void cs_script_push_target(lua_State *L, cs_target *t);

/* Pushes the list of the coordinates' names. */
void cs_script_push_coordinates(lua_State *L, const cs_target *t);

/* Pushes the table of the methods that targets have, target:NAME(...). */
void cs_script_push_target_methods(lua_State *L);

/* Reads the field `space` = {kind, dim, low, values} of the table at `fields`;
 * gives a target the fields `name`, `view` and `picture`, if they are there. */
void cs_script_read_space(lua_State *L, int fields, cs_space *space);
void cs_script_read_description(lua_State *L, int fields, cs_target *t);
