#include "io/course_done.h"

#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/folders.h"
#include "files/open.h"
#include "files/replace.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LIST_MOST = 1 << 16 };

void cs_course_name(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    snprintf(out, size, "%.*s",
             (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

/* Adds a result, unless an earlier entry for the lesson is as good. */
static void take(cs_course_done *d, const char *name, double got, double of)
{
    size_t i = 0;
    while (i < d->n && strcmp(d->lesson[i].name, name) != 0)
        i++;
    if (i == CS_COURSE_DONE || !(got >= 0 && got <= of && of < 1e6) ||
        (i < d->n && d->lesson[i].got >= got))
        return;
    d->n += i == d->n;
    snprintf(d->lesson[i].name, CS_COURSE_NAME, "%s", name);
    d->lesson[i].got = got;
    d->lesson[i].of = of;
}

void cs_course_done_read(cs_course_done *out)
{
    char list[1024];
    unsigned char *text;
    size_t size;
    assert(out);
    out->n = 0;
    if (!cs_folder_state("course", list, sizeof list) ||
        cs_file_read(list, LIST_MOST, &text, &size, NULL))
        return;
    for (char *at = (char *)text, *next; at; at = next) {
        char name[CS_COURSE_NAME];
        double got, of;
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        if (sscanf(at, "%63s %lf %lf", name, &got, &of) == 3)
            take(out, name, got, of);
    }
    cs_free(text);
}

static cs_status write_list(const cs_course_done *d, const char *list,
                            cs_error *err)
{
    cs_page p = {0};
    for (size_t i = 0; i < d->n; i++)
        cs_page_put(&p, "%s %.0f %.0f\n", d->lesson[i].name, d->lesson[i].got,
                    d->lesson[i].of);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for the list")
               : cs_file_replace(list, p.text ? p.text : "", p.used, err);
    cs_free(p.text);
    return status;
}

/* A lock prevents other processes from changing the list between reading and
 * writing, as for the list of recent files. */
cs_status cs_course_done_add(const char *path, const char *points,
                             cs_error *err)
{
    char list[1024], gate[1024], name[CS_COURSE_NAME];
    double got, of;
    if (sscanf(points, "%lf %lf", &got, &of) != 2 ||
        !cs_folder_state("course", list, sizeof list) ||
        !cs_folder_state("course.lock", gate, sizeof gate))
        return cs_fail(err, CS_IO, "the result of %s cannot be stored", path);
    cs_course_done *d = cs_alloc(1, sizeof *d);
    if (!d)
        return cs_fail(err, CS_MEMORY, "out of memory for the list");
    int fd = cs_open_lock(gate, 0600);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    cs_course_done_read(d);
    cs_course_name(path, name, sizeof name);
    if (strpbrk(name, " \t\n") == NULL && *name)
        take(d, name, got, of);
    cs_status status = write_list(d, list, err);
    if (fd >= 0)
        close(fd);
    cs_free(d);
    return status;
}
