/* The text of a script's files as it was when the files were read. An error
 * message displays the line that the message names, even if the file has been
 * edited since. */
#pragma once

#include "base/status.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the start of the Lua text in a file of *size bytes. Like Lua, skips a
 * byte order mark and the text of a #! line. */
const char *cs_source_start(const char *text, size_t *size);

/* Stores the text of a chunk named "@file". */
void cs_source_keep(lua_State *L, const char *name, const char *text,
                    size_t size);

/* Pushes the stored text of the file. If it is not stored, pushes nothing and
 * returns false. */
bool cs_source_push(lua_State *L, const char *file);

/* Adds the place to err. Lua shortens long names to "...tail"; if `file[n]` is
 * such a tail, uses the full name. If the file's text is stored, adds line
 * `line` after the message: " 12 | return x + nil", in at most 80 columns.
 * Raises no errors. */
void cs_source_blame(lua_State *L, const char *file, size_t n, int line,
                     cs_error *err);
