#include "screen/file_watch.h"

#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static bool look(const cs_file_watch *w, struct timespec *written)
{
    struct stat s;
    if (stat(w->path, &s) != 0)
        return false;
    *written = s.st_mtim;
    return true;
}

static bool watch_folder(const cs_file_watch *w)
{
    char folder[sizeof w->path];
    snprintf(folder, sizeof folder, "%s", w->path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = 0;
    return inotify_add_watch(w->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0;
}

void cs_file_watch_set(cs_file_watch *w, const char *path)
{
    if (strcmp(path, w->path) == 0)
        return;
    if (w->fd >= 0)
        close(w->fd);
    w->fd = -1;
    snprintf(w->path, sizeof w->path, "%s", path);
    if (!*path || !look(w, &w->written))
        return;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd >= 0 && !watch_folder(w)) {
        close(w->fd);
        w->fd = -1;
    }
}

bool cs_file_watch_changed(cs_file_watch *w)
{
    char events[4096];
    struct timespec now;
    bool news = false;
    while (w->fd >= 0 && read(w->fd, events, sizeof events) > 0)
        news = true;
    if (!news || !look(w, &now) ||
        (now.tv_sec == w->written.tv_sec && now.tv_nsec == w->written.tv_nsec))
        return false;
    w->written = now;
    return true;
}
