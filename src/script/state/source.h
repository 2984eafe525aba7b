/* The text of the files that a script consists of, as it was read: an error shows
 * the line that it names, even when the file has been edited since. */
#pragma once

#include "base/status.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Where Lua's text begins in that of a file [*size], as lua itself has it: behind
 * a byte order mark, and at the end of a #! line. */
const char *cs_source_start(const char *text, size_t *size);

/* Keeps the text of a chunk of that name, "@file". */
void cs_source_keep(lua_State *L, const char *name, const char *text,
                    size_t size);

/* Pushes the text that is kept of the file; false: none is, and nothing is pushed. */
bool cs_source_push(lua_State *L, const char *file);

/* Adds the place to err: the file as it was opened where `file[n]` is the "...tail"
 * to which Lua shortens long names; and, of a file that is kept, its line `line`
 * itself, on a line of its own behind what is said: "   12 | return x + nil", in at
 * most 80 columns. Raises nothing. */
void cs_source_blame(lua_State *L, const char *file, size_t n, int line,
                     cs_error *err);
