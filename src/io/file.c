#include "io/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cs_status trouble(const char *path, const char *what, cs_error *err)
{
    int why = errno;
    cs_fail(err, CS_IO, "%s cannot be %s: %s", path, what, strerror(why));
    if (why == ENOSPC || why == EDQUOT)
        cs_mend(err, "make room on the disk; what was written before is kept");
    else if (why == ENOENT)
        cs_mend(err, "look at the name");
    return CS_IO;
}

static bool write_all(int fd, const void *bytes, size_t size)
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

cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
        return cs_fail(err, CS_INPUT, "the path is too long");
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = write_all(fd, bytes, size) && fsync(fd) == 0;
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(beside, path) != 0) {
        good = false;
        why = errno;
    }
    if (!good) {
        unlink(beside);
        errno = why;
        return trouble(path, "written", err);
    }
    sync_folder_of(path);
    return CS_OK;
}

cs_status cs_file_write_at(const char *path, uint64_t offset, const void *bytes,
                           size_t size, bool cut, cs_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return trouble(path, "written", err);
    bool good = (!cut || ftruncate(fd, (off_t)offset) == 0) &&
                lseek(fd, (off_t)offset, SEEK_SET) >= 0 &&
                write_all(fd, bytes, size);
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good ? CS_OK : trouble(path, "written", err);
}

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

cs_status cs_folder_make(const char *path, cs_error *err)
{
    struct stat about;
    if (mkdir(path, 0777) == 0)
        return CS_OK;
    if (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return CS_OK;
    return trouble(path, "made", err);
}
