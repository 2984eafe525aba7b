/* Recognises files that are neither scenarios nor draws in a known format, by
 * their content. Otherwise Lua would report a syntax error for a picture. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Fails with CS_INPUT if the file can be neither a scenario nor draws: the error
 * names its kind, such as a PNG picture. Accepts files of this program that some
 * sub-commands read (a recording, a journal or a checkpoint) if `own` is true. A
 * file that cannot be read is accepted. */
cs_status cs_other_file_refuse(const char *path, bool own, cs_error *err);

/* Returns what the file is, such as "a PNG picture" or "empty"; NULL if it may be
 * a scenario, or cannot be read. */
const char *cs_other_file(const char *path);

/* Fails with CS_INPUT for draws in a known format, and for a file whose format is
 * known but not read. The error says what the format is and what reads it. */
cs_status cs_other_file_refuse_draws(const char *path, cs_error *err);
