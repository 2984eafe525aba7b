/* Computes a digest of a script's function. The digest is the same in every
 * process that reads the same script, and does not depend on the script's
 * layout and comments. */
#pragma once

#include "base/page.h"

#include <lua.h>
#include <stdint.h>

/* The metamethod of a userdata that returns its digest, an integer. */
#define CS_DIGEST_EVENT "__digest"

/* Returns the digest of the value at `index`. The digest of a function covers
 * its code and the values that the code refers to (upvalues, globals of the
 * script). The digest of a table covers the contents. The module's own state is
 * ignored, and so are values that only an address identifies. */
uint64_t cs_script_digest(lua_State *L, int index);

/* Adds "NAME = function DIGEST" to the page, unless the value is nil. */
void cs_script_parts(lua_State *L, int index, const char *name, cs_page *p);

/* The text after NAME in a line "NAME changes = WHAT" (see
 * cs_script_parts_of_chains). */
#define CS_SCRIPT_CHANGES " changes"
/* For a function that is called within steps: adds the line of cs_script_parts
 * to the page. If the function keeps state between calls, also adds a line
 * "NAME changes = WHAT", which prevents the run from being opened. */
void cs_script_parts_of_chains(lua_State *L, int index, const char *name,
                               cs_page *p);
