/* Detection of folders of other machines. */
#pragma once

#include <stdbool.h>

/* Returns true if the folder is on a file system that other machines can write
 * without notification here; false if unknown. */
bool cs_remote_is(const char *folder);
