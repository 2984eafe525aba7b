/* The userdata of a network, and what it does with images and draws. */
#ifndef CS_SCRIPT_BIND_LUA_NETWORK_H
#define CS_SCRIPT_BIND_LUA_NETWORK_H

#include <lua.h>

/* Adds network_new, network_rows and the methods to the module on top. */
void cs_script_open_network(lua_State *L);

#endif
