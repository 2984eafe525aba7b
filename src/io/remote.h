/* Detects folders whose files can change without a notification. */
#pragma once

#include <stdbool.h>

/* Returns true if the folder is on a network file system, to which other
 * machines can write without a notification on this machine, or if it has links
 * to files elsewhere (io/formats/gather_files.h); returns false if this is
 * unknown. */
bool cs_remote_is(const char *folder);
