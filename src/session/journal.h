/* A run as a Lua script: its scenario, and everything that was changed on the
 * way, at the step where it took effect. Run, it gives the same draws. */
#pragma once

#include "session/state.h"

/* Writes the script to `path`; over a file only if that is such a script too.
 * *lost changes were made by functions of a script: they come again only if
 * the scenario makes them itself. */
cs_status cs_journal_write(const cs_session *s, const char *path, size_t *lost,
                           cs_error *err);
