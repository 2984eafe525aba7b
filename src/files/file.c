#define _GNU_SOURCE /* for syncfs */
#include "files/file.h"

#include "base/memory.h"
#include "files/gate.h"
#include "files/open.h"
#include "files/replace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIED = 1 << 16 }; /* bytes per read of a copy */

static int open_to_write(const char *path, int flags)
{
    return cs_gate_refuses() ? -1 : cs_open_write(path, flags, false);
}

static bool cut(int fd, uint64_t size)
{
    return (!cs_gate_refuses() || errno == ENOSPC) &&
           ftruncate(fd, (off_t)size) == 0;
}

static bool sync_file(int fd)
{
    return !cs_gate_refuses() && fsync(fd) == 0;
}

/* Closes fd after `path` was written and returns the first error. */
static cs_status finish(int fd, bool good, const char *path, cs_error *err)
{
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good ? CS_OK : cs_open_failed(path, "written", err);
}

/* ---- writing ------------------------------------------------------------ */

cs_status cs_file_must_be_new(const char *path, cs_error *err)
{
    struct stat about;
    if (stat(path, &about) != 0 ||
        (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)))
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s already exists", path);
    cs_hint(err, "choose another name or remove the file");
    return CS_INPUT;
}

cs_status cs_file_create(const char *path, const void *bytes, size_t size,
                         cs_error *err)
{
    assert(bytes);
    int fd = open_to_write(path, O_CREAT | O_EXCL);
    if (fd < 0 && errno == EEXIST) {
        cs_status status = cs_file_must_be_new(path, err);
        return status ? status : cs_file_replace(path, bytes, size, err);
    }
    if (fd < 0)
        return cs_open_failed(path, "written", err);
    bool good = cs_gate_write(fd, bytes, size) && sync_file(fd);
    cs_status status = finish(fd, good, path, err);
    if (status)
        unlink(path);
    return status;
}

cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool shorten, cs_error *err)
{
    assert(bytes || size == 0);
    int fd = open_to_write(path, O_CREAT);
    if (fd < 0)
        return cs_open_failed(path, "written", err);
    bool good = (!shorten || cut(fd, offset)) &&
                lseek(fd, (off_t)offset, SEEK_SET) >= 0 &&
                (!size || cs_gate_write(fd, bytes, size));
    return finish(fd, good, path, err);
}

cs_status cs_file_has(const char *path, uint64_t size, cs_error *err)
{
    struct stat about;
    if (stat(path, &about) != 0 && errno != ENOENT)
        return cs_open_failed(path, "read", err);
    if (stat(path, &about) != 0) {
        cs_fail(err, CS_INPUT, "%s no longer exists", path);
        cs_hint(err, "restore the file, or repeat the run or part with --force "
                     "and without --resume");
        return CS_INPUT;
    }
    if ((uint64_t)about.st_size >= size || !S_ISREG(about.st_mode))
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s is shorter than before", path);
    cs_hint(err, "repeat the run or part with --force and without --resume");
    return CS_INPUT;
}

cs_status cs_file_cut(const char *path, uint64_t size, cs_error *err)
{
    cs_status status = cs_file_has(path, size, err);
    if (status)
        return status;
    int fd = cs_open_write(path, 0, false);
    return fd < 0 ? cs_open_failed(path, "written", err)
                  : finish(fd, cut(fd, size), path, err);
}

cs_status cs_file_sync(const char *path, cs_error *err)
{
    int fd = open_to_write(path, 0);
    if (fd < 0)
        return cs_open_failed(path, "written", err);
    return finish(fd, sync_file(fd), path, err);
}

cs_status cs_file_sync_all(const char *path, cs_error *err)
{
    int fd = open_to_write(path, 0);
    if (fd < 0)
        return cs_open_failed(path, "written", err);
    return finish(fd, !cs_gate_refuses() && syncfs(fd) == 0, path, err);
}

/* ---- reading ------------------------------------------------------------ */

static cs_status read_all(int fd, const char *path, unsigned char *to,
                          size_t size, cs_error *err)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = read(fd, to + at, size - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cs_open_failed(path, "read", err);
        if (n == 0)
            return cs_fail(err, CS_IO, "%s became shorter while it was read",
                           path);
        at += (size_t)n;
    }
    return CS_OK;
}

cs_status cs_file_read(const char *path, size_t most, unsigned char **bytes,
                       size_t *size, cs_error *err)
{
    uint64_t there = 0;
    cs_status status = CS_OK;
    *bytes = NULL;
    int fd = cs_open_read(path, &there);
    if (fd < 0)
        return cs_open_failed(path, "read", err);
    if (there > most)
        status =
            cs_fail(err, CS_INPUT, "%s is larger than %zu bytes", path, most);
    if (status == CS_OK) {
        *size = (size_t)there;
        *bytes = cs_alloc(1, *size + 1);
        status = *bytes ? read_all(fd, path, *bytes, *size, err)
                        : cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    }
    close(fd);
    if (status) {
        cs_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

static cs_status copy_bytes(int fd, const char *from, const char *to,
                            uint64_t size, unsigned char *scratch,
                            cs_error *err)
{
    cs_status status = cs_file_write_at(to, 0, "", 0, true, err);
    for (uint64_t at = 0, n; at < size && status == CS_OK; at += n) {
        n = size - at < COPIED ? size - at : COPIED;
        status = read_all(fd, from, scratch, (size_t)n, err);
        if (status == CS_OK)
            status = cs_file_write_at(to, at, scratch, (size_t)n, false, err);
    }
    return status;
}

cs_status cs_file_copy(const char *from, const char *to, uint64_t size,
                       cs_error *err)
{
    uint64_t there;
    cs_status status = CS_OK;
    int fd = cs_open_read(from, &there);
    if (fd < 0)
        return cs_open_failed(from, "read", err);
    unsigned char *scratch = cs_alloc(1, COPIED);
    if (!scratch)
        status =
            cs_fail(err, CS_MEMORY, "out of memory for a copy of %s", from);
    else if (there < size)
        status = cs_fail(err, CS_INPUT, "%s is shorter than before", from);
    if (status == CS_OK)
        status = copy_bytes(fd, from, to, size, scratch, err);
    cs_free(scratch);
    close(fd);
    return status;
}

/* Sets the error for a failed mkdir; `why` is its errno. */
static cs_status no_folder(const char *path, int why, cs_error *err)
{
    struct stat about;
    if (!*path) {
        cs_fail(err, CS_INPUT, "the name of the folder is empty");
        cs_hint(err, "give a name for the folder, for example 'out'");
        return CS_INPUT;
    }
    if (why == EEXIST) {
        cs_fail(err, CS_INPUT, "%s exists and is not a folder", path);
        cs_hint(err, "choose another name or move the file");
        return CS_INPUT;
    }
    errno = why;
    if (why != ENOENT && why != ENOTDIR)
        return cs_open_failed(path, "created", err);
    char above[4096];
    const char *slash = strrchr(path, '/');
    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    bool blocked = stat(above, &about) == 0;
    cs_fail(err, CS_INPUT, "cannot create %s: %s %s", path, above,
            blocked ? "is not a folder" : "does not exist");
    if (blocked)
        cs_hint(err, "choose another name");
    else
        cs_hint(err, "create the folder first: mkdir -p %.200s", above);
    return CS_INPUT;
}

bool cs_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

cs_status cs_folder_make(const char *path, cs_error *err)
{
    if (mkdir(path, 0777) == 0)
        return CS_OK;
    int why = errno;
    if (why == EEXIST && cs_is_folder(path))
        return CS_OK;
    return no_folder(path, why, err);
}
