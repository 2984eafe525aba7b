/* Repairs files whose writer was killed during a write. Removes the incomplete
 * last row; no checkpoint contains this row. */
#include "files/file.h"
#include "files/lock.h"
#include "files/open.h"
#include "io/cmdstan.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096 };

/* Returns the size of the file up to its last newline, or -1 if it cannot be
 * read. */
static off_t whole_rows(int file)
{
    char piece[PIECE];
    off_t end = lseek(file, 0, SEEK_END);
    while (end > 0) {
        off_t from = end > PIECE ? end - PIECE : 0;
        ssize_t got = pread(file, piece, (size_t)(end - from), from);
        if (got != end - from)
            return -1;
        for (ssize_t i = got; i > 0; i--)
            if (piece[i - 1] == '\n')
                return from + i;
        end = from;
    }
    return end;
}

/* Returns true if the file begins like the files that this program writes. */
static bool is_ours(int file)
{
    static const char first[] = "# stan_version_major";
    char text[sizeof first - 1];
    return pread(file, text, sizeof text, 0) == (ssize_t)sizeof text &&
           memcmp(text, first, sizeof text) == 0;
}

static void hint(const char *path)
{
    int file = cs_open_read(path, NULL);
    if (file < 0)
        return;
    off_t whole = is_ours(file) ? whole_rows(file) : -1;
    off_t size = lseek(file, 0, SEEK_END);
    close(file);
    if (whole > 0 && whole < size)
        cs_file_cut(path, (uint64_t)whole, NULL);
}

void cs_cmdstan_repair(const char *folder)
{
    int lock;
    DIR *d = cs_open_list(folder);
    if (!d || cs_lock_take(folder, &lock, NULL) != CS_OK) {
        if (d)
            closedir(d); /* another process is now writing to this folder */
        return;
    }
    for (const struct dirent *e; (e = readdir(d));) {
        char path[4096];
        const char *dot = strrchr(e->d_name, '.');
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dot && strcmp(dot, ".csv") == 0 && n > 0 && n < (int)sizeof path)
            hint(path);
    }
    closedir(d);
    cs_lock_release(folder, lock);
}
