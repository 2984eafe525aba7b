/* Words that users knew under another name: whoever writes the old one is told
 * the new one, in C and in Lua alike. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* What `old` is called now where it stood: in a kernel, target, tuner or probe
 * of that name, or in one of Lua's tables or classes (("run", "chain"
 * ...), or as a "command". NULL: it was never called so. */
const char *cs_renamed(const char *where, const char *old);

/* Whether err was filled in: "WHAT: 'old' is now called 'new'". */
bool cs_fail_renamed(cs_error *err, const char *what, const char *where,
                     const char *old);
