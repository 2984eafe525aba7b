/* Opens all files of the program; the lint `opens` checks that no other code
 * opens files. Input must be a regular file: opening a pipe could block, and
 * reading a device may never end. Links are followed. Descriptors are closed on
 * exec. A function that fails returns -1 or NULL, and errno has the reason.
 * ESPIPE means that the path is not a regular file, and EISDIR that the path is
 * a folder. */
#pragma once

#include "base/status.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens a regular file for reading. *size is set to its size in bytes; `size`
 * may be NULL. */
int cs_open_read(const char *path, uint64_t *size);

/* Opens a regular file for reading as a stream. */
FILE *cs_open_stream(const char *path);

/* Opens a folder to list its entries. */
DIR *cs_open_list(const char *path);

/* Opens a regular file for locking, reading and writing; creates it with this
 * mode if it does not exist. */
int cs_open_lock(const char *path, mode_t mode);

/* Opens a regular file for writing as a stream, at its start ("w") or at its
 * end ("a"). If it does not exist, creates it, accessible only to its owner. */
FILE *cs_open_to(const char *path, const char *mode);

/* Creates a new file, accessible only to its owner, and closes it. `path`
 * contains XXXXXX, followed by n more characters; XXXXXX is replaced so that no
 * other file has this name. */
bool cs_open_temporary(char *path, int n);

/* Opens /dev/null for reading and writing. */
int cs_open_nowhere(void);

/* Opens an existing file for writing; creates the file if `flags` contains
 * O_CREAT. Opens a pipe or device only if `through` is true, and a pipe only if
 * a process reads from it. */
int cs_open_write(const char *path, int flags, bool through);

/* Sets the error "PATH cannot be read: ..." with the reason in errno; `what` is
 * the word "read" or "written" in this message. Returns CS_IO. */
cs_status cs_open_failed(const char *path, const char *what, cs_error *err);
