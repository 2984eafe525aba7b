#include "files/lock.h"

#include "files/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 4096, TRIES = 8 };

static bool path_of(const char *folder, char path[PATH])
{
    return snprintf(path, PATH, "%s/lock", folder) < PATH;
}

/* Returns true if `path` is still the name of the locked file. The file may
 * have been removed after it was opened and before it was locked. */
static bool is_there(int fd, const char *path)
{
    struct stat mine, named;
    return fstat(fd, &mine) == 0 && stat(path, &named) == 0 &&
           mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

static cs_status refuse(int fd, const char *folder, cs_error *err)
{
    char who[32] = {0};
    ssize_t n = pread(fd, who, sizeof who - 1, 0);
    long pid = n > 0 ? strtol(who, NULL, 10) : 0;
    close(fd);
    if (pid > 0)
        cs_fail(err, CS_IO, "another process is writing to %s: process %ld",
                folder, pid);
    else
        cs_fail(err, CS_IO, "another process is writing to %s", folder);
    cs_hint(err, "wait until that process ends, or choose another folder");
    return CS_IO;
}

static void sign(int fd)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) < 0)
        return; /* the lock is valid even if the process number cannot be
                 * written to its file */
}

/* Takes the lock. Tries again after a short wait, because another process in
 * cs_lock_is_left may hold the lock for a moment. */
static bool take(int fd)
{
    const struct timespec moment = {.tv_nsec = 2000000};
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return false;
    nanosleep(&moment, NULL);
    return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

cs_status cs_lock_take(const char *folder, int *lock, cs_error *err)
{
    char path[PATH];
    *lock = CS_NO_LOCK;
    if (!path_of(folder, path))
        return cs_fail(err, CS_INPUT, "the path of the folder is too long");
    for (int i = 0; i < TRIES; i++) {
        int fd = cs_open_lock(path, 0666);
        if (fd < 0)
            return CS_OK; /* the next write in the folder reports the reason */
        if (!take(fd)) {
            if (errno == EWOULDBLOCK)
                return refuse(fd, folder, err);
            close(fd); /* the file system does not support locks */
            return CS_OK;
        }
        if (is_there(fd, path)) {
            sign(fd);
            *lock = fd;
            return CS_OK;
        }
        close(fd);
    }
    return CS_OK;
}

bool cs_lock_is_left(const char *folder)
{
    char path[PATH];
    int fd = path_of(folder, path) ? cs_open_read(path, NULL) : -1;
    if (fd < 0)
        return false;
    bool left = flock(fd, LOCK_SH | LOCK_NB) == 0;
    close(fd);
    return left;
}

void cs_lock_release(const char *folder, int lock)
{
    char path[PATH];
    if (lock == CS_NO_LOCK)
        return;
    if (path_of(folder, path))
        unlink(path);
    close(lock);
}
