/* A target that is a sum of a Lua function over the rows of a table. */
#ifndef CS_SCRIPT_BIND_TERM_TARGET_H
#define CS_SCRIPT_BIND_TERM_TARGET_H

#include <lua.h>

/* target_term{space=, data=, prior=, term=, name=, view=}: pushes the target.
 */
int cs_script_term_target(lua_State *L);

#endif
