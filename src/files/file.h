/* Files written in place and read as a whole. All requests to write pass the gate
 * (files/gate.h). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a file that is not there yet; one that is stays as it is, and that is
 * the error. What could not be written whole is removed. */
cs_status cs_file_create(const char *path, const void *bytes, size_t size,
                         cs_error *err);

/* Refuses where a file or folder is there: what is written is to be a new file. A
 * device or a pipe is fine. */
cs_status cs_file_must_be_new(const char *path, cs_error *err);

/* Writes bytes[size] at `offset` of `path`, made if it is not there; what
 * was beyond is cut off with `shorten`. */
cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool shorten, cs_error *err);

/* Whether `path` is there and has `size` bytes or more. */
cs_status cs_file_has(const char *path, uint64_t size, cs_error *err);

/* Cuts `path` to `size` bytes; fails when it is shorter. */
cs_status cs_file_cut(const char *path, uint64_t size, cs_error *err);

/* Returns once what was written to `path` is on the disk; or all that was
 * written to any file of its file system, which for many files is faster. */
cs_status cs_file_sync(const char *path, cs_error *err);
cs_status cs_file_sync_all(const char *path, cs_error *err);

/* A whole regular file of at most `most` bytes. *bytes [own, cs_free] has a
 * zero behind its end. */
cs_status cs_file_read(const char *path, size_t most, unsigned char **bytes,
                       size_t *size, cs_error *err);

/* The first `size` bytes of a file as another, which is written over; fails when
 * there are fewer. */
cs_status cs_file_copy(const char *from, const char *to, uint64_t size,
                       cs_error *err);

/* Makes the folder; one that is there is fine. */
cs_status cs_folder_make(const char *path, cs_error *err);
