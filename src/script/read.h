/* cs.read_table, cs.read_json, and the text of the script that is at work. */
#ifndef CS_SCRIPT_READ_H
#define CS_SCRIPT_READ_H

#include <lua.h>

/* Adds read_table, read_json and source to the table on top. */
void cs_script_open_read(lua_State *L);

#endif
