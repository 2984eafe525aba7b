/* Digest of a script's function: the same in every process that reads the same
 * script, regardless of layout and comments. */
#pragma once

#include "base/page.h"

#include <lua.h>
#include <stdint.h>

/* The metamethod of a userdata that returns its digest, an integer. */
#define CS_DIGEST_EVENT "__digest"

/* Returns the digest of the value at `index`: for a function its code and its
 * references (upvalues, globals of the script), for a table its contents. State
 * of the module, and values that only have an address, are ignored. */
uint64_t cs_script_digest(lua_State *L, int index);

/* Adds "NAME = function DIGEST" to the page unless it is nil. */
void cs_script_parts(lua_State *L, int index, const char *name, cs_page *p);

/* The same for a function called within steps, with a line "NAME changes =
 * WHAT" if it keeps state between calls; opening a run fails then. */
#define CS_SCRIPT_CHANGES " changes"
void cs_script_parts_of_chains(lua_State *L, int index, const char *name,
                               cs_page *p);
