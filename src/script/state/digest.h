/* What a function of a script does, as a number: the same in another process
 * that reads the same script, however it is laid out and commented. */
#pragma once

#include "base/page.h"

#include <lua.h>
#include <stdint.h>

/* The metamethod of a userdata that returns its digest, an integer. */
#define CS_DIGEST_EVENT "__digest"

/* Of the value at `index`. Of a function its code and what it refers to
 * (upvalues, globals of the script), of a table what is in it. What the module
 * itself keeps, and what only has an address, does not count. */
uint64_t cs_script_digest(lua_State *L, int index);

/* Adds "NAME = function DIGEST" to the page unless it is nil. */
void cs_script_parts(lua_State *L, int index, const char *name, cs_page *p);

/* The same of a function that is called within the steps of chains, with a line
 * "NAME changes = WHAT" where it keeps something from call to call: who opens a run
 * refuses that. */
#define CS_SCRIPT_CHANGES " changes"
void cs_script_parts_of_chains(lua_State *L, int index, const char *name,
                               cs_page *p);
