/* Replaces whole files, so that neither a crash nor a full disk loses the old
 * content. The new file is written in the same folder under an unpredictable
 * name that is not a link, synced to disk, and then renamed. If the path is a
 * link, the file that it points to is replaced. The new file has the mode of
 * the old file and, if permitted, its owner. Devices and pipes are written
 * directly. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_REPLACE_PATH = 4096 };

typedef struct cs_replace {
    int fd;   /* descriptor for writing with cs_gate_write */
    int lock; /* lock held until the end, so that no other process removes
               * `beside`; -1: none */
    bool through;
    char path[CS_REPLACE_PATH]; /* the file to replace */
    char beside
        [CS_REPLACE_PATH]; /* the file being written; "": the path is written
                            * directly */
} cs_replace;

/* Starts a replacement. After each success, cs_replace_end must be called once.
 * Other processes may have been killed while they wrote this file; their
 * temporary files in the folder are removed. */
cs_status cs_replace_begin(cs_replace *r, const char *path, cs_error *err);

/* Ends a replacement. If `good` is true, the new file replaces the old one;
 * otherwise the old file is kept. */
cs_status cs_replace_end(cs_replace *r, bool good, cs_error *err);

/* Replaces the content of the file `path` by bytes[size], or creates the
 * file. */
cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err);

/* Replaces the content of the file `path` by the concatenation of part[n]. */
typedef struct cs_bytes {
    const void *at;
    size_t size;
} cs_bytes;
cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err);

/* Writes the file `path` only if it does not exist. If several processes call
 * this function at the same time, the content of the first process is kept. */
cs_status cs_file_first(const char *path, const void *bytes, size_t size,
                        cs_error *err);

/* Returns true if `path` is a device or a pipe, which is written directly. */
bool cs_file_is_through(const char *path);

/* Checks that `path` can be replaced; used before its content is computed. */
cs_status cs_file_can_replace(const char *path, cs_error *err);

/* Removes files that killed writers left in a folder. The caller must hold the
 * folder's lock. */
void cs_replace_sweep(const char *folder);
