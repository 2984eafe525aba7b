/* The userdata of a target. */
#ifndef CS_SCRIPT_BIND_LUA_TARGET_H
#define CS_SCRIPT_BIND_LUA_TARGET_H

#include "target/target.h"

#include <lua.h>

/* target_new(type name, fields) and target_lua(fields): see target.c. */
void cs_script_open_target(lua_State *L);
/* The target at `index`, NULL if it is none. [borrowed] */
cs_target *cs_script_to_target(lua_State *L, int index);
/* Pushes a target, taking over one holder. */
void cs_script_push_target(lua_State *L, cs_target *t);

/* Pushes the list of the coordinates' names. */
void cs_script_push_coordinates(lua_State *L, const cs_target *t);

/* A target whose density is a Lua function: fields space = {kind, dim, low,
 * values}, log_density, gradient at 1. Pushes it. */
int cs_script_function_target(lua_State *L);

/* Reads the field `space` = {kind, dim, low, values} of the table at `fields`;
 * gives a target the fields `name` and `view`, if they are there. */
void cs_script_read_space(lua_State *L, int fields, cs_space *space);
void cs_script_dress_target(lua_State *L, int fields, cs_target *t);

#endif
