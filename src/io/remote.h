/* Detects folders to which other machines can write. */
#pragma once

#include <stdbool.h>

/* Returns true if the folder is on a network file system, to which other
 * machines can write without a notification on this machine; returns false if
 * this is unknown. */
bool cs_remote_is(const char *folder);
