#define _GNU_SOURCE /* syncfs */
#include "io/file.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIED = 1 << 16 }; /* bytes at once */

static cs_status trouble(const char *path, const char *what, cs_error *err)
{
    int why = errno;
    cs_fail(err, CS_IO, "%s cannot be %s: %s", path, what, strerror(why));
    if (why == ENOSPC || why == EDQUOT)
        cs_hint(err, "make room on the disk; what was written before is kept");
    else if (why == ENXIO)
        cs_hint(err, "it is a pipe: remove it, or choose another name");
    else if (why == ENOENT || why == EISDIR || why == ENOTDIR)
        cs_hint(err, "look at the name: it is to be that of a file");
    else if (why == EACCES || why == EPERM || why == EROFS)
        cs_hint(err, "choose a folder in which you may write");
    return CS_IO;
}

/* ---- the gate ---------------------------------------------------------- */

/* Written by tests and the environment, counted by all. */
static struct {
    atomic_ulong requests, fail_at;
    atomic_int why;
    atomic_bool for_ever, read_environment;
} gate;

void cs_file_fail_at(unsigned long n, int why, bool for_ever)
{
    atomic_store(&gate.read_environment, true);
    atomic_store(&gate.requests, 0);
    atomic_store(&gate.why, why);
    atomic_store(&gate.for_ever, for_ever);
    atomic_store(&gate.fail_at, n);
}

unsigned long cs_file_requests(void)
{
    return atomic_load(&gate.requests);
}

static void read_environment(void)
{
    const char *fails = getenv("CHAINSCOPE_IOFAIL");
    const char *dies = getenv("CHAINSCOPE_IOKILL");
    if (fails || dies)
        cs_file_fail_at(strtoul(fails ? fails : dies, NULL, 10),
                        fails ? ENOSPC : 0, true);
}

/* Whether this request is to fail; errno says why, 0: by death. */
static bool is_to_fail(void)
{
    if (!atomic_exchange(&gate.read_environment, true))
        read_environment();
    unsigned long n = atomic_fetch_add(&gate.requests, 1) + 1;
    unsigned long at = atomic_load(&gate.fail_at);
    if (!at || n < at || (n > at && !atomic_load(&gate.for_ever)))
        return false;
    errno = atomic_load(&gate.why);
    return true;
}

static void die_of(int why)
{
    if (why == 0)
        kill(getpid(), SIGKILL);
}

static bool refused(void)
{
    bool fails = is_to_fail();
    if (fails)
        die_of(errno);
    return fails;
}

/* A pipe that nobody reads would keep us waiting for ever. */
static int open_no_pipe(const char *path, int flags)
{
    struct stat about;
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0666);
    if (fd < 0 || (fstat(fd, &about) == 0 && !S_ISFIFO(about.st_mode)))
        return fd;
    close(fd);
    errno = ENXIO;
    return -1;
}

static int open_for_writing(const char *path, int flags)
{
    return refused() ? -1 : open_no_pipe(path, flags);
}

static bool write_some(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *bytes, size_t size)
{
    if (!is_to_fail())
        return write_some(fd, bytes, size);
    int why = errno;
    write_some(fd, bytes, size / 2);
    die_of(why);
    errno = why;
    return false;
}

static bool cut(int fd, uint64_t size)
{
    return (!refused() || errno == ENOSPC) && ftruncate(fd, (off_t)size) == 0;
}

static bool sync_file(int fd)
{
    return !refused() && fsync(fd) == 0;
}

/* Ends the writing of `path`: closes fd, and finds the first error. */
static cs_status finish(int fd, bool good, const char *path, cs_error *err)
{
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good ? CS_OK : trouble(path, "written", err);
}

/* ---- writing ------------------------------------------------------------ */

/* The new name lasts only once its folder is on the disk too. */
static void sync_folder_of(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    int fd = open(folder[0] ? folder : "/", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static bool write_parts(int fd, const cs_bytes *part, size_t n)
{
    bool good = write_all(fd, part[0].at, part[0].size);
    for (size_t i = 1; good && i < n; i++)
        good = write_some(fd, part[i].at, part[i].size);
    return good;
}

cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
        return cs_fail(err, CS_INPUT, "the path is too long");
    int fd = open_for_writing(beside, O_CREAT | O_TRUNC);
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = write_parts(fd, part, n) && sync_file(fd);
    cs_status status = finish(fd, good, path, err);
    if (status == CS_OK && (refused() || rename(beside, path) != 0))
        status = trouble(path, "written", err);
    if (status == CS_OK)
        sync_folder_of(path);
    else
        unlink(beside);
    return status;
}

cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err)
{
    assert(bytes || size == 0);
    return cs_file_replace_parts(path, &(cs_bytes){bytes, size}, 1, err);
}

cs_status cs_file_create(const char *path, const void *bytes, size_t size,
                         cs_error *err)
{
    assert(bytes);
    int fd = open_for_writing(path, O_CREAT | O_EXCL);
    if (fd < 0 && errno == EEXIST)
        return cs_fail(err, CS_INPUT, "%s is there already", path);
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = write_all(fd, bytes, size) && sync_file(fd);
    cs_status status = finish(fd, good, path, err);
    if (status)
        unlink(path);
    return status;
}

cs_status cs_file_can_replace(const char *path, cs_error *err)
{
    char beside[4096];
    struct stat about;
    if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
        return cs_fail(err, CS_INPUT, "the path is too long");
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
        return trouble(path, "written", err);
    }
    int fd = open_for_writing(beside, O_CREAT);
    if (fd < 0)
        return trouble(path, "written", err);
    close(fd);
    unlink(beside);
    return CS_OK;
}

cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool shorten, cs_error *err)
{
    assert(bytes || size == 0);
    int fd = open_for_writing(path, O_CREAT);
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = (!shorten || cut(fd, offset)) &&
                lseek(fd, (off_t)offset, SEEK_SET) >= 0 &&
                (!size || write_all(fd, bytes, size));
    return finish(fd, good, path, err);
}

cs_status cs_file_cut(const char *path, uint64_t size, cs_error *err)
{
    struct stat about;
    int fd = open_no_pipe(path, 0);
    if (fd < 0 && errno == ENOENT) {
        cs_fail(err, CS_INPUT, "%s is no longer there", path);
        cs_hint(err, "put it back, or make that run, or part, anew: with "
                     "--force, and without --resume");
        return CS_INPUT;
    }
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = fstat(fd, &about) == 0;
    if (good && (uint64_t)about.st_size < size) {
        close(fd);
        cs_fail(err, CS_INPUT, "%s is shorter than it was", path);
        cs_hint(err, "make that run, or part, anew: with --force, and "
                     "without --resume");
        return CS_INPUT;
    }
    return finish(fd, good && cut(fd, size), path, err);
}

cs_status cs_file_sync(const char *path, cs_error *err)
{
    int fd = open_for_writing(path, 0);
    if (fd < 0)
        return trouble(path, "written", err);
    return finish(fd, sync_file(fd), path, err);
}

cs_status cs_file_sync_all(const char *path, cs_error *err)
{
    int fd = open_for_writing(path, 0);
    if (fd < 0)
        return trouble(path, "written", err);
    return finish(fd, !refused() && syncfs(fd) == 0, path, err);
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
            return trouble(path, "read", err);
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
    struct stat about;
    cs_status status = CS_OK;
    *bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return trouble(path, "read", err);
    if (fstat(fd, &about) != 0)
        status = trouble(path, "read", err);
    else if (!S_ISREG(about.st_mode))
        status = cs_fail(err, CS_INPUT, "%s is not a regular file", path);
    else if ((uint64_t)about.st_size > most)
        status =
            cs_fail(err, CS_INPUT, "%s is larger than %zu bytes", path, most);
    if (status == CS_OK) {
        *size = (size_t)about.st_size;
        *bytes = cs_alloc(1, *size + 1);
        status = *bytes ? read_all(fd, path, *bytes, *size, err)
                        : cs_fail(err, CS_MEMORY, "no memory for %s", path);
    }
    close(fd);
    if (status) {
        cs_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

static cs_status copy_bytes(int fd, const char *from, const char *to,
                            uint64_t size, unsigned char *room, cs_error *err)
{
    cs_status status = cs_file_write_at(to, 0, "", 0, true, err);
    for (uint64_t at = 0, n; at < size && status == CS_OK; at += n) {
        n = size - at < COPIED ? size - at : COPIED;
        status = read_all(fd, from, room, (size_t)n, err);
        if (status == CS_OK)
            status = cs_file_write_at(to, at, room, (size_t)n, false, err);
    }
    return status;
}

cs_status cs_file_copy(const char *from, const char *to, uint64_t size,
                       cs_error *err)
{
    struct stat about;
    cs_status status = CS_OK;
    int fd = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return trouble(from, "read", err);
    unsigned char *room = cs_alloc(1, COPIED);
    if (!room)
        status = cs_fail(err, CS_MEMORY, "no memory to copy %s", from);
    else if (fstat(fd, &about) != 0)
        status = trouble(from, "read", err);
    else if (!S_ISREG(about.st_mode))
        status = cs_fail(err, CS_INPUT, "%s is not a regular file", from);
    else if ((uint64_t)about.st_size < size)
        status = cs_fail(err, CS_INPUT, "%s is shorter than it was", from);
    if (status == CS_OK)
        status = copy_bytes(fd, from, to, size, room, err);
    cs_free(room);
    close(fd);
    return status;
}

/* Why mkdir failed, for who gave the name. */
static cs_status no_folder(const char *path, int why, cs_error *err)
{
    struct stat about;
    if (!*path) {
        cs_fail(err, CS_INPUT, "the folder has no name");
        cs_hint(err, "name one: out, say");
        return CS_INPUT;
    }
    if (why == EEXIST) {
        cs_fail(err, CS_INPUT, "%s is there, and is no folder", path);
        cs_hint(err, "choose another name, or move it away");
        return CS_INPUT;
    }
    errno = why;
    if (why != ENOENT && why != ENOTDIR)
        return trouble(path, "made", err);
    char above[4096];
    const char *slash = strrchr(path, '/');
    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    bool blocked = stat(above, &about) == 0;
    cs_fail(err, CS_INPUT, "%s cannot be made: %s is %s", path, above,
            blocked ? "no folder" : "not there");
    if (blocked)
        cs_hint(err, "choose another name");
    else
        cs_hint(err, "make it first: mkdir -p %.200s", above);
    return CS_INPUT;
}

cs_status cs_folder_make(const char *path, cs_error *err)
{
    struct stat about;
    if (mkdir(path, 0777) == 0)
        return CS_OK;
    int why = errno;
    if (why == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return CS_OK;
    return no_folder(path, why, err);
}
