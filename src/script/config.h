/* The configuration file: a Lua table, read in the sandbox of scenarios. */
#pragma once

#include "base/flat.h"
#include "base/status.h"

/* Adds to `out` the entries of the table that the file `path` returns.
 * Their keys are those of session/client/preference_keys.h. Existing
 * entries in `out` have priority. The file may use a tenth of a second
 * and little memory. On failure nothing is added, and the error names
 * the line if the line is known. */
cs_status cs_config_read(const char *path, cs_flat *out, cs_error *err);

/* Finds the line of the entry `name` in the file. `err` is an error about this
 * entry. If the line is found, adds its number to err. */
void cs_config_where(cs_error *err, const char *path, const char *name);

/* Returns field number i of the configuration and its help text; NULL after the
 * last field. */
const char *cs_config_field(size_t i, const char **help);
