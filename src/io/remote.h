/* Folders of other machines. */
#pragma once

#include <stdbool.h>

/* Whether the folder is on a file system on which other machines write without this
 * one being told of it; false if that cannot be found out. */
bool cs_remote_is(const char *folder);
