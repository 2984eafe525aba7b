/* Opens all files of the program; the lint `opens` checks that no other code
 * does.
 * Input must be a regular file, wherever its name comes from: a pipe could
 * block and a device may be endless. Links are followed. Descriptors are closed
 * on exec; -1 and NULL give the reason in errno, where ESPIPE means not a
 * regular file (EISDIR: a folder). */
#pragma once

#include "base/status.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading. *size (may be NULL): its bytes. */
int cs_open_read(const char *path, uint64_t *size);

/* Does the same as a stream. */
FILE *cs_open_stream(const char *path);

/* Opens a folder for listing. */
DIR *cs_open_list(const char *path);

/* Opens a file for locking, reading and writing; creates it with this mode if
 * it is missing. Only regular files. */
int cs_open_lock(const char *path, mode_t mode);

/* Opens a regular file for writing as a stream, from its start ("w") or at its
 * end ("a"); creates it for its owner only if it is missing. */
FILE *cs_open_to(const char *path, const char *mode);

/* Creates and closes a new file for its owner only: replaces the XXXXXX in
 * `path`, which n more characters follow. */
bool cs_open_temporary(char *path, int n);

/* Opens /dev/null for both. */
int cs_open_nowhere(void);

/* Opens an existing file for writing, or creates it with O_CREAT in `flags`; a
 * pipe or device only with `through`, and a pipe only with a reader. */
int cs_open_write(const char *path, int flags, bool through);

/* Reports errno for a path of the user: "PATH cannot be read: ...". `what` is
 * "read" or "written". Returns CS_IO. */
cs_status cs_open_failed(const char *path, const char *what, cs_error *err);
