/* Each line of the list contains the results for one arm:
 *
 *     KEY whole|part BROKEN LAW,LAW ARM
 *
 * where - means none. The lines of a scenario are adjacent. */
#include "io/checked.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/folders.h"
#include "files/open.h"
#include "files/replace.h"

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MOST = 1 << 20, LIST_KEPT = 1 << 17, KEY = 16 };

uint64_t cs_checked_key(const char *text, size_t size, const char *const *set,
                        size_t n_set)
{
    struct stat exe;
    uint64_t h = cs_digest(CS_DIGEST, CS_VERSION, sizeof CS_VERSION);
    /* The digest includes the executable, since another build may have other
     * kernels. */
    if (stat("/proc/self/exe", &exe) == 0) {
        h = cs_digest(h, &exe.st_size, sizeof exe.st_size);
        h = cs_digest(h, &exe.st_mtim, sizeof exe.st_mtim);
        /* The digest also includes the status change time and the inode of the
         * executable, since packages are built with a fixed modification
         * time. */
        h = cs_digest(h, &exe.st_ctim, sizeof exe.st_ctim);
        h = cs_digest(h, &exe.st_ino, sizeof exe.st_ino);
    }
    h = cs_digest(h, text, size);
    for (size_t i = 0; i < n_set; i++)
        if (strcspn(set[i], ".#") < strcspn(set[i], "="))
            h = cs_digest(h, set[i], strlen(set[i]) + 1);
    return h;
}

/* ---- reading ------------------------------------------------------------- */

char *cs_checked_read(void)
{
    char path[1024];
    unsigned char *text;
    size_t size;
    if (!cs_folder_cache("checked", path, sizeof path) ||
        cs_file_read(path, LIST_MOST, &text, &size, NULL))
        return NULL;
    return (char *)text;
}

/* Copies the next word of a line, up to a blank, to out[size]. Returns the
 * position after it. */
static const char *take_word(const char *at, char *out, size_t size)
{
    size_t n = strcspn(at, " \n");
    snprintf(out, size, "%.*s", (int)n, at);
    if (strcmp(out, "-") == 0)
        *out = 0;
    return at + n + (at[n] == ' ');
}

/* Reads a line; returns false if it is invalid. */
static bool take_line(const char *line, cs_checked *out)
{
    char how[8];
    cs_checked_laws *to = &out->of[out->n];
    const char *at = take_word(line + KEY + 1, how, sizeof how);
    at = take_word(at, to->broken, sizeof to->broken);
    at = take_word(at, to->held, sizeof to->held);
    size_t n = strcspn(at, "\n");
    if (n >= sizeof to->arm || at[n] != '\n')
        return false;
    snprintf(to->arm, sizeof to->arm, "%.*s", (int)n, at);
    for (char *comma = to->held; (comma = strchr(comma, ','));)
        *comma = ' ';
    out->whole = strcmp(how, "whole") == 0;
    out->n++;
    return true;
}

void cs_checked_find(const char *list, uint64_t key, cs_checked *out)
{
    char name[KEY + 2];
    snprintf(name, sizeof name, "%016" PRIx64 " ", key);
    memset(out, 0, sizeof *out);
    for (const char *at = list; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, name, KEY + 1) == 0 &&
            (out->n > CS_CHECKED_ARMS || !take_line(at, out)))
            return;
    }
}

cs_badge cs_checked_badge(const cs_checked *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (*c->of[i].broken)
            return CS_BADGE_BROKEN;
    return c->n && c->whole ? CS_BADGE_HELD : CS_BADGE_NONE;
}

/* ---- writing ------------------------------------------------------------- */

static const char *word_or_none(const char *word)
{
    return *word ? word : "-";
}

static void put(cs_page *p, uint64_t key, const cs_checked *what)
{
    for (size_t i = 0; i < what->n; i++) {
        const cs_checked_laws *a = &what->of[i];
        char held[sizeof a->held];
        memcpy(held, a->held, sizeof held);
        for (char *blank = held; (blank = strchr(blank, ' '));)
            *blank = ',';
        if (!strchr(a->arm, '\n'))
            cs_page_put(p, "%016" PRIx64 " %s %s %s %s\n", key,
                        what->whole ? "whole" : "part", word_or_none(a->broken),
                        word_or_none(held), a->arm);
    }
}

/* Appends the lines of other scenarios in the list, up to its maximum size. */
static void put_others(cs_page *p, uint64_t key, const char *list)
{
    char name[KEY + 2];
    snprintf(name, sizeof name, "%016" PRIx64 " ", key);
    for (const char *at = list, *end; at && *at; at = end + 1) {
        end = strchr(at, '\n');
        if (!end || p->used > LIST_KEPT)
            return;
        if (strncmp(at, name, KEY + 1) != 0)
            cs_page_put(p, "%.*s", (int)(end + 1 - at), at);
    }
}

/* Adds results to the list, and replaces the file of the list as a whole. A
 * lock prevents other processes from changing the list between reading and
 * writing. If the file system has no locks, a simultaneous change by another
 * process may be lost. */
cs_status cs_checked_keep(uint64_t key, const cs_checked *what, cs_error *err)
{
    char path[1024], gate[1024];
    assert(what);
    if (!cs_folder_cache("checked", path, sizeof path) ||
        !cs_folder_cache("checked.lock", gate, sizeof gate))
        return cs_fail(err, CS_IO,
                       "the results of the law tests cannot be saved");
    int fd = cs_open_lock(gate, 0600);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    cs_page p = {0};
    char *list = cs_checked_read();
    put(&p, key, what);
    put_others(&p, key, list);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for the list")
               : cs_file_replace(path, p.text ? p.text : "", p.used, err);
    cs_free(list);
    cs_free(p.text);
    if (fd >= 0)
        close(fd);
    return status;
}
