/* Recently opened files: a list of absolute paths in the state folder
 * (files/folders.h), newest first. Several processes may use the list at the
 * same time. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_RECENT = 50, CS_RECENT_PATH = 512 };

typedef struct cs_recent {
    char path[CS_RECENT][CS_RECENT_PATH];
    size_t n;
} cs_recent;

/* Reads the entries whose files still exist; *out is empty if there is no
 * list. */
void cs_recent_read(cs_recent *out);

/* Adds a file at the start of the list and removes files that no longer exist.
 * If there is no home folder or the list cannot be written, fails and leaves
 * the list unchanged. */
cs_status cs_recent_add(const char *path, cs_error *err);
