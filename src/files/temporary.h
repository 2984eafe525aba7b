/* Temporary folders, in $TMPDIR or /tmp, accessible only to their owner. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Returns $TMPDIR, or /tmp if it is not set. */
const char *cs_temporary_place(void);

/* Creates a folder and writes its path to path[size]. */
cs_status cs_temporary_folder(char *path, size_t size, cs_error *err);

/* Creates the link `link` to the file `path`, which may be relative to the
 * working directory. */
cs_status cs_temporary_link(const char *path, const char *link, cs_error *err);

/* Removes the folder and the files in it, but no sub-folders. Does nothing if
 * `path` is "". */
void cs_temporary_remove(const char *path);
