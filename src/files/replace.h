/* Files replaced as a whole, so that neither a crash nor a full disk costs what was
 * there: the new one is written beside it, under a name that nobody can guess and
 * that is no link, brought to the disk, and takes its place.
 *
 * A link is followed, and what it names is replaced; its mode and, where we may, its
 * owner are kept. A device and a pipe are written through. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_REPLACE_PATH = 4096 };

typedef struct cs_replace {
    int fd;   /* to be written, by cs_gate_write */
    int lock; /* held until the end, so that nobody removes `beside`; -1: none */
    bool through;
    char path[CS_REPLACE_PATH];   /* what will be replaced */
    char beside[CS_REPLACE_PATH]; /* what is written, "" through */
} cs_replace;

/* Begins; each that succeeds is ended once. What processes that were killed while they
 * wrote the same file left beside it is removed. */
cs_status cs_replace_begin(cs_replace *r, const char *path, cs_error *err);

/* Ends: with `good` the new one takes the place; else what was there stays. */
cs_status cs_replace_end(cs_replace *r, bool good, cs_error *err);

/* Writes `path` as a whole. */
cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err);

/* The same of part[n], one after the other. */
typedef struct cs_bytes {
    const void *at;
    size_t size;
} cs_bytes;
cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err);

/* Writes `path` as a whole where nothing is; of several processes that do so at
 * once the first has its way, and what it wrote stays. */
cs_status cs_file_first(const char *path, const void *bytes, size_t size,
                        cs_error *err);

/* Whether what stands there is written through: a device or a pipe. */
bool cs_file_is_through(const char *path);

/* Whether `path` can be replaced, before there is anything to write. */
cs_status cs_file_can_replace(const char *path, cs_error *err);

/* Removes what a process that was killed left written beside the files of a
 * folder: for who has its lock. */
void cs_replace_sweep(const char *folder);
