/* Tells when a file was written by somebody else: by what the kernel tells of its
 * folder and of the file that a link leads to (inotify), so that an editor that puts
 * a new file in the old one's place is seen, too. Times of change are no sign of it: a
 * clock may stand still or be set back. Every two seconds the file's identity is
 * compared, as its folder itself may be another by then. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct cs_file_watch {
    int fd;     /* for poll; -1: nothing is watched */
    int folder; /* of inotify */
    char path[1024];
    bool there;    /* when it was last looked at; then it was: */
    dev_t device;  /* ... */
    ino_t number;  /* ... */
    bool changed;  /* and that was not told yet */
    bool missed;   /* it is gone, which was not told yet ... */
    double other;  /* when another one took its place, 0: none did */
    double gone;   /* ... since (s, of base/clock.h) */
    double looked; /* when its identity was compared */
    double told;   /* when a change was told */
} cs_file_watch;

typedef enum cs_file_news {
    CS_FILE_SAME,
    CS_FILE_CHANGED, /* something is there under its name that was put or written */
    CS_FILE_GONE     /* it has not been there for a second: told once */
} cs_file_news;

/* Begins as this; end it with cs_file_watch_set(w, ""). */
#define CS_FILE_WATCH_NONE                                                     \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Watches `path` from now on, and nothing else; "": nothing. Where that cannot
 * be, nothing is watched. */
void cs_file_watch_set(cs_file_watch *w, const char *path);

/* What has happened to it since the last call. Changes that follow each other closely
 * are told three times a second at most, the last of them always; until `ready`
 * they are kept. */
cs_file_news cs_file_watch_look(cs_file_watch *w, bool ready);

/* Milliseconds after which to look though nothing is readable; -1: never. */
long cs_file_watch_wait(const cs_file_watch *w);
