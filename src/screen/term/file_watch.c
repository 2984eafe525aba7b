#include "screen/term/file_watch.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* minimum seconds between two reports of changes */
static const double
    between = 0.3,
    /* seconds until a removal is reported, because editors remove a file for
     * a short time */
    patience = 1,
    now_and_then = 2; /* seconds between two checks of the identity */

/* Returns true if the file was replaced by another file, or exists again. */
static bool identify(cs_file_watch *w)
{
    struct stat s;
    bool there = stat(w->path, &s) == 0;
    bool other =
        there && (!w->there || s.st_dev != w->device || s.st_ino != w->number);
    w->looked = cs_clock();
    w->missed |= w->there && !there;
    w->gone = w->there && !there ? w->looked : w->gone;
    w->missed &= !there;
    w->there = there;
    w->device = there ? s.st_dev : 0;
    w->number = there ? s.st_ino : 0;
    return other;
}

/* Watches the folder of the file. If the file is a link, also watches the file
 * to which the link points. Called again when the folder or the link may have
 * changed. */
static bool listen(cs_file_watch *w)
{
    char folder[sizeof w->path];
    snprintf(folder, sizeof folder, "%s", w->path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = 0;
    inotify_add_watch(w->fd, w->path,
                      IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF |
                          IN_ATTRIB);
    w->folder =
        inotify_add_watch(w->fd, folder,
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE |
                              IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF);
    return w->folder >= 0;
}

void cs_file_watch_set(cs_file_watch *w, const char *path)
{
    if (strcmp(path, w->path) == 0)
        return;
    if (w->fd >= 0)
        close(w->fd);
    *w = (cs_file_watch){.fd = -1};
    snprintf(w->path, sizeof w->path, "%s", path);
    if (!*path || !identify(w))
        return;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0 && !listen(w)) {
        close(w->fd);
        w->fd = -1;
    }
}

/* Returns true if a new directory entry is already complete, which is the
 * case if it is a link or not a regular file. A new regular file is not yet
 * written. */
static bool is_made_whole(const cs_file_watch *w)
{
    struct stat s;
    return lstat(w->path, &s) == 0 && (!S_ISREG(s.st_mode) || s.st_nlink > 1);
}

static bool tells(const cs_file_watch *w, const struct inotify_event *e)
{
    const char *slash = strrchr(w->path, '/');
    const char *name = slash ? slash + 1 : w->path;
    bool ours = e->len == 0 || strcmp(e->name, name) == 0;
    if (e->mask & IN_Q_OVERFLOW)
        return true;
    if (e->mask & IN_CREATE)
        return ours && is_made_whole(w);
    return ours && (e->mask & (IN_CLOSE_WRITE | IN_MOVED_TO));
}

/* Returns true if the folder or the file itself was removed. Events of its
 * replacement were not reported, and the replacement may have the same inode
 * number. */
static bool is_end(const cs_file_watch *w, const struct inotify_event *e)
{
    unsigned ends = IN_DELETE_SELF | IN_MOVE_SELF;
    return e->mask & (e->wd == w->folder ? ends | IN_IGNORED : ends);
}

/* Reads inotify events. Returns true if an event was about the file. */
static bool hear(cs_file_watch *w)
{
    /* maximum number of reads in one call, since events may keep arriving */
    enum { AT_ONCE = 64 };
    _Alignas(struct inotify_event) char events[4096];
    bool reported = false;
    for (int i = 0; i < AT_ONCE; i++) {
        const struct inotify_event *e;
        ssize_t n = read(w->fd, events, sizeof events);
        if (n <= 0)
            break;
        for (ssize_t at = 0; at < n; at += (ssize_t)(sizeof *e + e->len)) {
            e = (const struct inotify_event *)(events + at);
            w->changed |= tells(w, e);
            if (is_end(w, e))
                w->other = cs_clock();
        }
        reported = true;
    }
    return reported;
}

/* Detects, after a delay, a file whose write was not reported. */
static void see(cs_file_watch *w)
{
    double now = cs_clock();
    if (hear(w) || now - w->looked >= now_and_then) {
        if (identify(w))
            w->other = now;
        listen(w);
    }
    if (w->there && w->other > 0 && now - w->other >= patience)
        w->changed = true;
    if (w->changed)
        w->other = 0;
}

cs_file_news cs_file_watch_look(cs_file_watch *w, bool ready)
{
    if (w->fd < 0)
        return CS_FILE_SAME;
    see(w);
    double now = cs_clock();
    if (w->missed && now - w->gone >= patience) {
        w->missed = false;
        return CS_FILE_GONE;
    }
    if (!w->changed || !ready || now - w->reported < between)
        return CS_FILE_SAME;
    w->changed = false;
    w->reported = now;
    return CS_FILE_CHANGED;
}

long cs_file_watch_wait(const cs_file_watch *w)
{
    if (w->fd < 0)
        return -1;
    double due = w->looked + now_and_then;
    if (w->missed)
        due = fmin(due, w->gone + patience);
    if (w->changed)
        due = fmin(due, w->reported + between);
    if (w->there && w->other > 0)
        due = fmin(due, w->other + patience);
    return (long)ceil(1e3 * fmax(due - cs_clock(), 0.01));
}
