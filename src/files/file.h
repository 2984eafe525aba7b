/* Files that are written in place, or read completely. All write requests pass
 * the gate (files/gate.h). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a new file. If the file already exists, fails and leaves it unchanged.
 * A file that cannot be written completely is removed. */
cs_status cs_file_create(const char *path, const void *bytes, size_t size,
                         cs_error *err);

/* Fails if a file or folder exists at `path`. Used for output that must be a
 * new file. A device or a pipe is allowed. */
cs_status cs_file_must_be_new(const char *path, cs_error *err);

/* Writes bytes[size] at `offset` of `path`, and creates the file if necessary.
 * If `shorten` is true, truncates the file after the written bytes. */
cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool shorten, cs_error *err);

/* Checks that `path` exists and has at least `size` bytes. */
cs_status cs_file_has(const char *path, uint64_t size, cs_error *err);

/* Truncates the file `path` to `size` bytes; fails if the file is shorter. */
cs_status cs_file_cut(const char *path, uint64_t size, cs_error *err);

/* Returns once all data written to `path` are on the disk. cs_file_sync_all
 * does this for all files of the file system that contains `path`, which is
 * faster if there are many files. */
cs_status cs_file_sync(const char *path, cs_error *err);
cs_status cs_file_sync_all(const char *path, cs_error *err);

/* Reads a whole regular file of at most `most` bytes. *bytes [own, cs_free]
 * ends with a zero byte, which is not counted. */
cs_status cs_file_read(const char *path, size_t most, unsigned char **bytes,
                       size_t *size, cs_error *err);

/* Overwrites the file `to` with the first `size` bytes of the file `from`;
 * fails if `from` has fewer bytes. */
cs_status cs_file_copy(const char *from, const char *to, uint64_t size,
                       cs_error *err);

/* Returns true if the path is that of a folder. */
bool cs_is_folder(const char *path);

/* Creates the folder; succeeds if it already exists. */
cs_status cs_folder_make(const char *path, cs_error *err);
