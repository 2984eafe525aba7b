#define _GNU_SOURCE /* for F_OFD_SETLK */
#include "files/replace.h"

#include "files/gate.h"
#include "files/open.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ending of the temporary file's name: ".NAME.0123456789abcdef.aside" */
static const char ending[] = ".aside";
enum { DIGITS = 16, TRIES = 16, LONGEST = 255 };

/* ---- the file to replace ---- */

/* Finds the path after following links, and the status of the file. If the file
 * does not exist, the status is all zeros. On failure sets errno and returns
 * false. */
static bool find(cs_replace *r, const char *path, struct stat *there)
{
    char *whole = realpath(path, NULL);
    *there = (struct stat){0};
    if (whole) {
        bool fits = snprintf(r->path, sizeof r->path, "%s", whole) <
                    (int)sizeof r->path;
        free(whole);
        if (!fits)
            errno = ENAMETOOLONG;
        return fits && stat(r->path, there) == 0;
    }
    struct stat link;
    if (errno != ENOENT || lstat(path, &link) == 0) {
        if (errno == ENOENT || errno == 0)
            errno = ELOOP; /* the path is a link to a missing file */
        return false;
    }
    errno = ENAMETOOLONG;
    return snprintf(r->path, sizeof r->path, "%s", path) < (int)sizeof r->path;
}

/* ---- the temporary file ---- */

/* Returns the offset of the file name in a path. */
static size_t name_at(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Writes the path of the temporary file to *r. The temporary file is in the
 * same folder as the file to replace. Its name contains the name of that file,
 * truncated if it is long. */
static bool name_beside(cs_replace *r)
{
    uint64_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        return false;
    size_t at = name_at(r->path), n = strlen(r->path + at);
    const size_t most = LONGEST - DIGITS - sizeof ending - 2;
    int length = snprintf(
        r->beside, sizeof r->beside, "%.*s.%.*s.%016" PRIx64 "%s", (int)at,
        r->path, (int)(n < most ? n : most), r->path + at, number, ending);
    errno = ENAMETOOLONG;
    return length < (int)sizeof r->beside;
}

/* Locks a file. The lock lasts as long as the file is open, however the process
 * ends. The netCDF library uses flock on its files; locks of flock and this
 * lock do not affect each other. */
static bool lock_whole(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

/* Locks the temporary file while this process writes it. This protects the
 * file, because cs_replace_begin in another process removes temporary files
 * that are not locked. Returns false if another process has already removed
 * this file. If the file system has no locks, no file is removed. */
static bool claim(int fd)
{
    struct stat about;
    bool lost = !lock_whole(fd) && (errno == EAGAIN || errno == EACCES);
    return !lost && fstat(fd, &about) == 0 && about.st_nlink > 0;
}

static int open_beside(cs_replace *r)
{
    for (int i = 0; i < TRIES; i++) {
        if (!name_beside(r))
            return -1;
        int fd = cs_open_write(r->beside, O_CREAT | O_EXCL | O_NOFOLLOW, false);
        if (fd < 0 && errno != EEXIST)
            return fd;
        if (fd >= 0 && claim(fd)) {
            r->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
            return fd;
        }
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* ---- temporary files of killed processes ---- */

/* Returns the offset of NUMBER in the name ".NAME.NUMBER.aside" of a temporary
 * file; 0 for other names. */
static size_t number_at(const char *name)
{
    const size_t tail = sizeof ending - 1;
    size_t n = strlen(name);
    if (*name != '.' || n < tail + DIGITS + 2 ||
        strcmp(name + n - tail, ending) != 0)
        return 0;
    const char *number = name + n - tail - DIGITS;
    bool good =
        number[-1] == '.' && strspn(number, "0123456789abcdef") == DIGITS;
    return good ? n - tail - DIGITS : 0;
}

/* Removes a temporary file if its writer has ended. */
static void remove_left(const char *path)
{
    int fd = cs_open_write(path, O_NOFOLLOW, false);
    if (fd < 0)
        return;
    if (lock_whole(fd))
        unlink(path);
    close(fd);
}

/* Removes temporary files of processes that were killed while they wrote the
 * file that `r` replaces. Keeps the temporary file of this process, which is in
 * `r`. */
static void sweep_beside(const cs_replace *r)
{
    char folder[CS_REPLACE_PATH], path[CS_REPLACE_PATH];
    size_t at = name_at(r->beside), n = number_at(r->beside + at);
    snprintf(folder, sizeof folder, "%.*s", at ? (int)at : 1,
             at ? r->beside : ".");
    DIR *d = cs_open_list(folder);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, r->beside + at) == 0 ||
            number_at(e->d_name) != n ||
            strncmp(e->d_name, r->beside + at, n) != 0)
            continue;
        if (snprintf(path, sizeof path, "%.*s%s", (int)at, r->beside,
                     e->d_name) < (int)sizeof path)
            remove_left(path);
    }
    if (d)
        closedir(d);
}

static void let_go(cs_replace *r)
{
    if (r->lock >= 0)
        close(r->lock);
    r->lock = -1;
}

/* Copies owner and mode of the old file. If the owner cannot be changed, the
 * new file does not get the permissions that the old owner had. */
static bool take_after(int fd, const struct stat *old)
{
    const mode_t plain = 0777, all = 07777;
    struct stat new;
    if (old->st_nlink == 0)
        return true;
    bool own = fstat(fd, &new) == 0 &&
               ((new.st_uid == old->st_uid &&new.st_gid == old->st_gid) ||
                fchown(fd, old->st_uid, old->st_gid) == 0);
    return fchmod(fd, old->st_mode & (own ? all : plain)) == 0;
}

static void drop(cs_replace *r)
{
    int why = errno;
    if (*r->beside)
        unlink(r->beside);
    let_go(r);
    errno = why;
}

cs_status cs_replace_begin(cs_replace *r, const char *path, cs_error *err)
{
    struct stat there;
    assert(r && path);
    *r->beside = 0;
    r->fd = r->lock = -1;
    if (!find(r, path, &there))
        return cs_open_failed(path, "written", err);
    r->through = there.st_nlink > 0 && !S_ISREG(there.st_mode);
    if (cs_gate_refuses())
        return cs_open_failed(path, "written", err);
    if (S_ISDIR(there.st_mode))
        errno = EISDIR;
    else
        r->fd = r->through ? cs_open_write(r->path, 0, true) : open_beside(r);
    if (r->fd < 0)
        return cs_open_failed(path, "written", err);
    if (!r->through)
        sweep_beside(r);
    if (!r->through && !take_after(r->fd, &there)) {
        drop(r);
        close(r->fd);
        return cs_open_failed(path, "written", err);
    }
    return CS_OK;
}

/* Syncs the folder, which makes the new name permanent. */
static void sync_folder_of(const char *path)
{
    char folder[CS_REPLACE_PATH];
    size_t at = name_at(path);
    snprintf(folder, sizeof folder, "%.*s", at ? (int)at : 1, at ? path : ".");
    DIR *d = cs_open_list(folder);
    if (!d)
        return;
    fsync(dirfd(d));
    closedir(d);
}

cs_status cs_replace_end(cs_replace *r, bool good, cs_error *err)
{
    if (good && !r->through)
        good = !cs_gate_refuses() && fsync(r->fd) == 0;
    int why = errno;
    if (close(r->fd) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    if (good && !r->through)
        good = !cs_gate_refuses() && rename(r->beside, r->path) == 0;
    if (!good) {
        drop(r);
        return cs_open_failed(r->path, "written", err);
    }
    let_go(r);
    if (!r->through)
        sync_folder_of(r->path);
    return CS_OK;
}

/* ---- complete replacements ----------------------------------------------- */

cs_status cs_file_replace_parts(const char *path, const cs_bytes *part,
                                size_t n, cs_error *err)
{
    cs_replace r;
    bool good = true;
    cs_status status = cs_replace_begin(&r, path, err);
    for (size_t i = 0; status == CS_OK && good && i < n; i++)
        good = cs_gate_write(r.fd, part[i].at, part[i].size);
    return status ? status : cs_replace_end(&r, good, err);
}

cs_status cs_file_replace(const char *path, const void *bytes, size_t size,
                          cs_error *err)
{
    assert(bytes || size == 0);
    return cs_file_replace_parts(path, &(cs_bytes){bytes, size}, 1, err);
}

cs_status cs_file_first(const char *path, const void *bytes, size_t size,
                        cs_error *err)
{
    cs_replace r;
    cs_status status = cs_replace_begin(&r, path, err);
    if (status)
        return status;
    bool good = !r.through && cs_gate_write(r.fd, bytes, size) &&
                !cs_gate_refuses() && fsync(r.fd) == 0;
    if (good && link(r.beside, r.path) != 0 && errno != EEXIST)
        /* renames the file if the file system does not support hard links */
        return cs_replace_end(&r, true, err);
    int why = r.through ? ESPIPE : errno;
    close(r.fd);
    errno = why;
    drop(&r);
    return good ? CS_OK : cs_open_failed(path, "written", err);
}

bool cs_file_is_through(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) &&
           !S_ISDIR(there.st_mode);
}

cs_status cs_file_can_replace(const char *path, cs_error *err)
{
    cs_replace r;
    if (cs_file_is_through(path))
        return access(path, W_OK) == 0 ? CS_OK
                                       : cs_open_failed(path, "written", err);
    cs_status status = cs_replace_begin(&r, path, err);
    if (status)
        return status;
    close(r.fd);
    drop(&r);
    return CS_OK;
}

void cs_replace_sweep(const char *folder)
{
    DIR *d = cs_open_list(folder);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (number_at(e->d_name))
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
}
