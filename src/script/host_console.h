/* The Lua console of a session: evaluates and completes what a user types. */
#pragma once

#include "base/flat.h"
#include "script/state/state.h"

/* Runs a piece of Lua in the console's environment, as `eval` of cs_host. */
cs_status cs_script_console_eval(cs_script *s, const char *code,
                                 cs_script_print *print, void *to,
                                 cs_error *err);
/* Writes completions of the last word of `line`, as `complete` of cs_host. */
void cs_script_console_complete(cs_script *s, const char *line, cs_flat *out);
