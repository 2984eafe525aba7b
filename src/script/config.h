/* The configuration file: a Lua table, read in the sandbox of scenarios. */
#pragma once

#include "base/flat.h"
#include "base/status.h"

/* Adds the table that the file `path` returns to `out`, under the keys of
 * session/client/preference_keys.h; entries already in `out` take precedence. The
 * file may use a tenth of a second and little memory. An error names its line
 * if there is one, and nothing is added then. */
cs_status cs_config_read(const char *path, cs_flat *out, cs_error *err);

/* Adds to an error about the entry `name` the line of that entry, if it is
 * found. */
void cs_config_where(cs_error *err, const char *path, const char *name);

/* Returns field number i of the configuration and its help text; NULL past the
 * last. */
const char *cs_config_field(size_t i, const char **help);
