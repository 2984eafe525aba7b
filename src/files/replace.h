/* Replaces files as a whole, so that neither a crash nor a full disk loses the
 * old content: the new file is written beside the old one under an
 * unpredictable name that is not a link, synced to disk, and renamed.
 * Links are followed and their target is replaced; its mode and, where
 * permitted, its owner are kept. Devices and pipes are written through. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_REPLACE_PATH = 4096 };

typedef struct cs_replace {
    int fd;   /* write to it with cs_gate_write */
    int lock; /* held to the end, so that `beside` is not removed; -1: none */
    bool through;
    char path[CS_REPLACE_PATH]; /* the file to replace */
    char beside
        [CS_REPLACE_PATH]; /* the file being written; "": written through */
} cs_replace;

/* Starts replacing; each success needs one cs_replace_end. Removes files left
 * beside it by processes killed while they wrote the same file. */
cs_status cs_replace_begin(cs_replace *r, const char *path, cs_error *err);

/* Ends: with `good` the new file replaces the old one; else the old one
 * stays. */
cs_status cs_replace_end(cs_replace *r, bool good, cs_error *err);

/* Writes `path` as a whole. */
cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err);

/* Does the same for part[n], one after the other. */
typedef struct cs_bytes {
    const void *at;
    size_t size;
} cs_bytes;
cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err);

/* Writes `path` as a whole if it does not exist. If several processes do so at
 * once, the first one's content stays. */
cs_status cs_file_first(const char *path, const void *bytes, size_t size,
                        cs_error *err);

/* Returns true if `path` is written through: a device or a pipe. */
bool cs_file_is_through(const char *path);

/* Checks that `path` can be replaced, before there is anything to write. */
cs_status cs_file_can_replace(const char *path, cs_error *err);

/* Removes files left in a folder by killed writers; the caller must hold the
 * folder's lock. */
void cs_replace_sweep(const char *folder);
