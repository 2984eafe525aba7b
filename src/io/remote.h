/* Detects folders that other machines can write. */
#pragma once

#include <stdbool.h>

/* Returns true if the folder is on a network file system, which other machines
 * can write without a notification on this machine; false if unknown. */
bool cs_remote_is(const char *folder);
