/* Every file that the program opens is opened here, and nowhere else: the lint
 * `opens` checks that.
 *
 * What is read is a regular file, wherever its name comes from: a pipe would be
 * waited for, and a device can be without an end. A link is followed to one.
 * Descriptors are closed on exec; -1 and NULL say why in errno, where ESPIPE
 * stands for what is no regular file (EISDIR: a folder). */
#pragma once

#include "base/status.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file to be read. *size (may be NULL): its bytes. */
int cs_open_read(const char *path, uint64_t *size);

/* The same as a stream. */
FILE *cs_open_stream(const char *path);

/* Opens a folder to be listed. */
DIR *cs_open_list(const char *path);

/* Opens a file that is there to be locked, read and written; made, if it is not,
 * with this mode. Never what is no regular file. */
int cs_open_lock(const char *path, mode_t mode);

/* A regular file to be written as a stream, from its start ("w") or behind its end
 * ("a"); made, if it is not there, for its owner alone. */
FILE *cs_open_to(const char *path, const char *mode);

/* Makes a file that is new and for its owner alone, and closes it: XXXXXX in `path`,
 * which end[n] follow, becomes its own. */
bool cs_open_temporary(char *path, int n);

/* Opens /dev/null for both. */
int cs_open_nowhere(void);

/* Opens for writing what is there, or with O_CREAT in `flags` makes it; a pipe or a
 * device only when `through`, and somebody reads it. */
int cs_open_write(const char *path, int flags, bool through);

/* What errno says, for who gave the name: "PATH cannot be read: ...". `what` is
 * "read" or "written". Returns CS_IO. */
cs_status cs_open_trouble(const char *path, const char *what, cs_error *err);
