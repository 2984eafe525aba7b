#include "files/spill.h"

#include "base/memory.h"
#include "files/temporary.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Returns true if the folder exists and its files are not kept in memory. */
static bool is_on_disk(const char *path)
{
    struct statfs s;
    return statfs(path, &s) == 0 && s.f_type != TMPFS_MAGIC &&
           s.f_type != RAMFS_MAGIC;
}

/* Returns the folder for the files; NULL: none, because files would be in
 * memory. */
static const char *folder(void)
{
    const char *in = cs_temporary_place();
    if (is_on_disk(in))
        return in;
    return strcmp(in, "/tmp") == 0 && is_on_disk("/var/tmp") ? "/var/tmp"
                                                             : NULL;
}

/* Returns a descriptor of a new file without a name, or -1. */
static int open_nameless(void)
{
    char path[4096];
    const char *in = folder();
    int n = in ? snprintf(path, sizeof path, "%s/chainscope-XXXXXX", in) : 0;
    int fd = n > 0 && n < (int)sizeof path ? mkstemp(path) : -1;
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

static void *map_file(size_t bytes, int *file)
{
    int fd = open_nameless();
    void *at = MAP_FAILED;
    if (fd >= 0 && posix_fallocate(fd, 0, (off_t)bytes) == 0)
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0 && at == MAP_FAILED)
        close(fd);
    *file = fd;
    return at == MAP_FAILED ? NULL : at;
}

bool cs_spill_begin(cs_spill *s, size_t bytes, size_t from, size_t most)
{
    *s = (cs_spill){.bytes = bytes};
    if (bytes >= from && bytes <= SIZE_MAX / 4)
        s->at = map_file(bytes, &s->file);
    s->in_file = s->at != NULL;
    if (!s->at && bytes <= most)
        s->at = cs_alloc(bytes, 1);
    return s->at != NULL;
}

void cs_spill_end(cs_spill *s)
{
    if (s->in_file) {
        munmap(s->at, s->bytes);
        close(s->file);
    } else {
        cs_free(s->at);
    }
    *s = (cs_spill){0};
}

void cs_spill_prepare(const cs_spill *s, void *from, size_t bytes)
{
    static const char zeros[1 << 20];
    off_t at = (const char *)from - (const char *)s->at;
    ssize_t put = 1;
    while (s->in_file && bytes && put > 0) {
        put = pwrite(s->file, zeros,
                     bytes < sizeof zeros ? bytes : sizeof zeros, at);
        at += put > 0 ? put : 0;
        bytes -= put > 0 ? (size_t)put : 0;
    }
}

void cs_spill_release(const cs_spill *s, const void *from, size_t bytes)
{
    enum { AROUND = 64 << 10 }; /* bytes that the system maps at once */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t low = (uintptr_t)from / page * page, start = (uintptr_t)s->at;
    uintptr_t high = (uintptr_t)from + bytes;
    low = low - start > AROUND ? low - AROUND : start;
    if (s->in_file && bytes)
        madvise((char *)s->at + (low - (uintptr_t)s->at), high - low,
                MADV_DONTNEED);
}

bool cs_spill_write(const cs_spill *s, size_t at, const void *from,
                    size_t bytes)
{
    const char *next = from;
    while (s->in_file && bytes) {
        ssize_t put = pwrite(s->file, next, bytes, (off_t)at);
        if (put <= 0)
            return false;
        next += put;
        at += (size_t)put;
        bytes -= (size_t)put;
    }
    return s->in_file;
}

bool cs_spill_read(const cs_spill *s, size_t at, void *to, size_t bytes)
{
    char *next = to;
    while (s->in_file && bytes) {
        ssize_t got = pread(s->file, next, bytes, (off_t)at);
        if (got <= 0)
            return false;
        next += got;
        at += (size_t)got;
        bytes -= (size_t)got;
    }
    return s->in_file;
}

double cs_spill_most(double most)
{
    struct statvfs v;
    const char *in = folder();
    if (!in || statvfs(in, &v) != 0)
        return 0;
    double free_bytes = (double)v.f_bavail * (double)v.f_frsize;
    return free_bytes / 2 < most ? free_bytes / 2 : most;
}
