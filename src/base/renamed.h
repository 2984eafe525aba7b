/* Renamed words: an error for an old name reports the new one, in C and in
 * Lua. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Returns the present name of `old` in its place: in a kernel, target, tuner
 * or probe of that name, or in one of Lua's tables or classes (("run", "chain"
 * ...), or as a "command". NULL: not an old name. */
const char *cs_renamed(const char *where, const char *old);

/* Whether err was filled in: "WHAT: 'old' is now called 'new'". */
bool cs_fail_renamed(cs_error *err, const char *what, const char *where,
                     const char *old);
