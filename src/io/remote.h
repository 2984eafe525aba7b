/* Folders of other machines. */
#ifndef CS_IO_REMOTE_H
#define CS_IO_REMOTE_H

#include <stdbool.h>

/* Whether the folder is on a file system on which other machines write without this
 * one being told of it; false if that cannot be found out. */
bool cs_remote_is(const char *folder);

#endif
