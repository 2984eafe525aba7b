/* The configuration file: a Lua table, read in the sandbox of scenarios. */
#pragma once

#include "base/flat.h"
#include "base/status.h"

/* Adds what the file `path` returns to a table with the keys of
 * session/wishes.h; what is there already comes first. The file has a tenth of
 * a second and little memory. An error names its line where it has one, and
 * nothing is added then. */
cs_status cs_config_read(const char *path, cs_flat *out, cs_error *err);

/* Of an error in what the file says of `name`: the line where that stands, where
 * it is found. */
void cs_config_where(cs_error *err, const char *path, const char *name);

/* Number i of the fields that it may have, NULL past the last; what they are. */
const char *cs_config_field(size_t i, const char **help);
