/* Recently opened files: a list of absolute paths in the state folder
 * (io/folders.h), newest first. Several programs may use it at once. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_RECENT = 50, CS_RECENT_PATH = 512 };

typedef struct cs_recent {
    char path[CS_RECENT][CS_RECENT_PATH];
    size_t n;
} cs_recent;

/* Reads the entries that still exist; none without a list. */
void cs_recent_read(cs_recent *out);

/* Puts a file first and drops files that no longer exist. Without a home
 * folder, or if the list cannot be written, it stays unchanged and that is the
 * error. */
cs_status cs_recent_add(const char *path, cs_error *err);
