/* Files written so that a crash or a full disk never costs what was there. */
#ifndef CS_IO_FILE_H
#define CS_IO_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes `path` as a whole: beside it, to the disk, then in its place. */
cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err);

/* Writes bytes[size] at `offset` of `path`, made if it is not there; what
 * was beyond is cut off with `cut`. */
cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool cut, cs_error *err);

/* A whole regular file of at most `most` bytes. *bytes [own, cs_free] has a
 * zero behind its end. */
cs_status cs_file_read(const char *path, size_t most, unsigned char **bytes,
                       size_t *size, cs_error *err);

/* Makes the folder; one that is there is fine. */
cs_status cs_folder_make(const char *path, cs_error *err);

#endif
