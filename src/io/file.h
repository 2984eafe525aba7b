/* Files written so that a crash or a full disk never costs what was there. */
#ifndef CS_IO_FILE_H
#define CS_IO_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything the program keeps is written through here, so that a test can
 * make the n-th request fail (open, write, cut, sync, rename; 1 = the next)
 * with the error number `why`, and with `for_ever` all later ones too. A write
 * that fails has written the half, as on a disk that fills up; cutting a file
 * shorter needs no room and does not fail with ENOSPC. n = 0: no more failures.
 * why = 0: the process is killed there, by SIGKILL.
 * In the environment CHAINSCOPE_IOFAIL=n: ENOSPC from the n-th on;
 * CHAINSCOPE_IOKILL=n: killed at the n-th. */
void cs_file_fail_at(unsigned long n, int why, bool for_ever);

/* How many requests were made since the last cs_file_fail_at. */
unsigned long cs_file_requests(void);

/* Writes `path` as a whole: beside it, to the disk, then in its place. */
cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err);

/* The same of part[n], one after the other. */
typedef struct cs_bytes {
    const void *at;
    size_t size;
} cs_bytes;
cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err);

/* Writes a file that is not there yet; one that is stays as it is, and that is
 * the error. What could not be written whole is removed. */
cs_status cs_file_create(const char *path, const void *bytes, size_t size,
                         cs_error *err);

/* Whether `path` can be replaced, before there is anything to write. */
cs_status cs_file_can_replace(const char *path, cs_error *err);

/* Writes bytes[size] at `offset` of `path`, made if it is not there; what
 * was beyond is cut off with `shorten`. */
cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool shorten, cs_error *err);

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

#endif
