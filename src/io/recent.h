/* The files that were opened lately: a list in the state folder (io/folders.h),
 * newest first, of whole paths. Several programs may use it at once. */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_RECENT = 50, CS_RECENT_PATH = 512 };

typedef struct cs_recent {
    char path[CS_RECENT][CS_RECENT_PATH];
    size_t n;
} cs_recent;

/* Those of the list that are still there; none where there is no list. */
void cs_recent_read(cs_recent *out);

/* Puts a file first, and drops those that are no longer there. Without a home,
 * or where it cannot be written, the list stays as it is: that is the error. */
cs_status cs_recent_add(const char *path, cs_error *err);
