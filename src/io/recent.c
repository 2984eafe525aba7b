#include "io/recent.h"

#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/folders.h"
#include "files/open.h"
#include "files/replace.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LIST_MOST = 1 << 20 };

static bool is_in(const cs_recent *r, const char *path)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->path[i], path) == 0)
            return true;
    return false;
}

static void take(cs_recent *r, const char *path)
{
    if (r->n < CS_RECENT && *path == '/' && strlen(path) < CS_RECENT_PATH &&
        !is_in(r, path) && access(path, R_OK) == 0)
        snprintf(r->path[r->n++], CS_RECENT_PATH, "%s", path);
}

/* Appends the entries of a list to *r. */
static void take_list(cs_recent *r, const char *list)
{
    unsigned char *text;
    size_t size;
    if (cs_file_read(list, LIST_MOST, &text, &size, NULL))
        return;
    for (char *at = (char *)text, *next; at; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        take(r, at);
    }
    cs_free(text);
}

void cs_recent_read(cs_recent *out)
{
    char list[1024];
    assert(out);
    out->n = 0;
    if (cs_folder_state("recent", list, sizeof list))
        take_list(out, list);
}

static cs_status write_list(const cs_recent *r, const char *list, cs_error *err)
{
    cs_page p = {0};
    for (size_t i = 0; i < r->n; i++)
        cs_page_put(&p, "%s\n", r->path[i]);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for the list")
               : cs_file_replace(list, p.text ? p.text : "", p.used, err);
    cs_free(p.text);
    return status;
}

/* Adds a file to the list, and replaces the file of the list as a whole. A lock
 * prevents other processes from changing the list between reading and writing.
 * If the file system has no locks, a simultaneous change by another process may
 * be lost. */
cs_status cs_recent_add(const char *path, cs_error *err)
{
    char list[1024], gate[1024];
    char *whole = realpath(path, NULL);
    cs_recent *r = cs_alloc(1, sizeof *r);
    cs_status status = CS_OK;
    if (!r || !whole || strchr(whole, '\n') ||
        !cs_folder_state("recent", list, sizeof list) ||
        !cs_folder_state("recent.lock", gate, sizeof gate)) {
        status =
            cs_fail(err, CS_IO, "%s cannot be added to the recent files", path);
    } else {
        int fd = cs_open_lock(gate, 0600);
        if (fd >= 0)
            flock(fd, LOCK_EX);
        take(r, whole);
        take_list(r, list);
        status = write_list(r, list, err);
        if (fd >= 0)
            close(fd);
    }
    cs_free(r);
    free(whole);
    return status;
}
