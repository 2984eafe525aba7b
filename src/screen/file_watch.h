/* Tells when a file was written by somebody else. It costs nothing while nothing
 * happens: the kernel tells of what happens in the file's folder (inotify), so
 * that an editor that puts a new file in the old one's place is seen too. */
#ifndef CS_SCREEN_FILE_WATCH_H
#define CS_SCREEN_FILE_WATCH_H

#include <stdbool.h>
#include <time.h>

typedef struct cs_file_watch {
    int fd; /* for poll; -1: nothing is watched */
    char path[1024];
    struct timespec written; /* as it was when it was last looked at */
} cs_file_watch;

/* Begins as this; end it with cs_file_watch_set(w, ""). */
#define CS_FILE_WATCH_NONE                                                     \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Watches `path` from now on, and nothing else; "": nothing. Where that cannot
 * be, nothing is watched. */
void cs_file_watch_set(cs_file_watch *w, const char *path);

/* Whether it was written since the last call, and is there. */
bool cs_file_watch_changed(cs_file_watch *w);

#endif
