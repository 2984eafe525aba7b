/* Recognises files that are neither scenarios nor draws in a known format, by
 * their content. Otherwise Lua would report a syntax error for a picture. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Returns what the file is, such as "a PNG picture"; NULL if it may be a
 * scenario, or cannot be read. *own is true for a file of this program that some
 * sub-commands read: a recording, a journal or a checkpoint. A name that ends in
 * .lua is always a scenario, and one named *.cast a recording. */
const char *cs_other_file(const char *path, bool *own);

/* Fails with CS_INPUT for such a file; accepts files of this program if `own` is
 * true. The error says what the file is. */
cs_status cs_other_file_refuse(const char *path, bool own, cs_error *err);
