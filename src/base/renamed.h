/* Renamed words: the error for an old name reports the new name, in C and in
 * Lua. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Returns the new name of `old`, or NULL if `old` is not an old name. `where`
 * is the name of a kernel, target, tuner or probe, the name of a table or class
 * of Lua ("run", "chain" ...), or "command". */
const char *cs_renamed(const char *where, const char *old);

/* Fills err with "WHAT: 'old' is now called 'new'" and returns true if `old` is
 * an old name. */
bool cs_fail_renamed(cs_error *err, const char *what, const char *where,
                     const char *old);
