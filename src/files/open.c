#define _GNU_SOURCE /* for mkostemps */
#include "files/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(int fd, int why)
{
    close(fd);
    errno = why;
    return -1;
}

/* Returns fd if it is a regular file, otherwise closes it and returns -1. */
static int only_regular(int fd, uint64_t *size)
{
    struct stat about;
    if (fd < 0)
        return fd;
    if (fstat(fd, &about) != 0)
        return refuse(fd, errno);
    if (!S_ISREG(about.st_mode))
        return refuse(fd, S_ISDIR(about.st_mode) ? EISDIR : ESPIPE);
    if (size)
        *size = (uint64_t)about.st_size;
    return fd;
}

/* Opens a regular file for reading. O_NONBLOCK prevents open() from waiting if
 * the file is a pipe, because the type of a file is only known after it is
 * open. */
int cs_open_read(const char *path, uint64_t *size)
{
    return only_regular(
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), size);
}

FILE *cs_open_stream(const char *path)
{
    int fd = cs_open_read(path, NULL);
    FILE *stream = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!stream && fd >= 0)
        refuse(fd, errno);
    return stream;
}

DIR *cs_open_list(const char *path)
{
    return opendir(path);
}

int cs_open_lock(const char *path, mode_t mode)
{
    return only_regular(
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode),
        NULL);
}

FILE *cs_open_to(const char *path, const char *mode)
{
    int way = *mode == 'a' ? O_APPEND : 0;
    int fd = only_regular(
        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | way,
             0600),
        NULL);
    bool good = fd >= 0 && (way || ftruncate(fd, 0) == 0);
    FILE *stream = good ? fdopen(fd, mode) : NULL;
    if (!stream && fd >= 0)
        refuse(fd, errno);
    return stream;
}

bool cs_open_temporary(char *path, int n)
{
    int fd = mkostemps(path, n, O_CLOEXEC);
    return fd >= 0 && close(fd) == 0;
}

int cs_open_nowhere(void)
{
    return open("/dev/null", O_RDWR | O_CLOEXEC);
}

int cs_open_write(const char *path, int flags, bool through)
{
    struct stat about;
    int fd =
        open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags, 0666);
    if (fd < 0)
        return fd;
    if (fstat(fd, &about) != 0)
        return refuse(fd, errno);
    if (S_ISREG(about.st_mode))
        return fd;
    if (!through)
        return refuse(fd, S_ISFIFO(about.st_mode) ? ENXIO : ESPIPE);
    fcntl(fd, F_SETFL, 0); /* blocking again: the reader may be slow */
    return fd;
}

cs_status cs_open_failed(const char *path, const char *what, cs_error *err)
{
    int why = errno;
    cs_fail(err, CS_IO, "%s cannot be %s: %s", path, what,
            why == ESPIPE  ? "not a regular file"
            : why == ELOOP ? "a link to a missing file"
                           : strerror(why));
    if (why == ENOSPC || why == EDQUOT)
        cs_hint(err, "free disk space; earlier output is kept");
    else if (why == ENXIO)
        cs_hint(err, "the path is a pipe without a reader: remove the pipe or "
                     "choose another name");
    else if (why == ENOENT || why == EISDIR || why == ENOTDIR || why == ESPIPE)
        cs_hint(err, "give the name of a regular file");
    else if (why == EACCES || why == EPERM || why == EROFS)
        cs_hint(err, strcmp(what, "read") == 0
                         ? "check its permissions, and those of its folder"
                         : "choose a folder with write permission");
    return CS_IO;
}
