/* Watches a file for changes by other programs. Uses inotify on the folder
 * of the file and, if the file is a link, on the file to which it points, so
 * that replacement by an editor is also detected. Modification times are not
 * used, because a clock may stop or be set back. Every two seconds the
 * identity of the file is compared, because the folder itself may have been
 * replaced. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct cs_file_watch {
    int fd;     /* for poll(); -1: no file is watched */
    int folder; /* inotify watch descriptor of the file's folder */
    char path[1024];
    /* the file existed at the last check, with this device and inode */
    bool there;
    dev_t device;    /* device of the file */
    ino_t number;    /* inode of the file */
    bool changed;    /* there is a change that was not reported yet */
    bool missed;     /* the file was removed, which was not reported yet */
    double other;    /* time when another file replaced the file; 0: none */
    double gone;     /* time when the file disappeared, in s (base/clock.h) */
    double looked;   /* time when the file's identity was last compared */
    double reported; /* time when a change was last reported */
} cs_file_watch;

typedef enum cs_file_news {
    CS_FILE_SAME,
    CS_FILE_CHANGED, /* the file was written, or replaced by another file */
    CS_FILE_GONE     /* the file has been missing for a second; reported once */
} cs_file_news;

/* Initial value; end with cs_file_watch_set(w, ""). */
#define CS_FILE_WATCH_NONE                                                     \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Watches only `path` from now on; "": no file. On failure, no file is
 * watched. */
void cs_file_watch_set(cs_file_watch *w, const char *path);

/* Returns the news since the last call. Changes in quick succession are
 * reported at most three times per second, including the last change. Until
 * `ready` is set, news is not reported but stored. */
cs_file_news cs_file_watch_look(cs_file_watch *w, bool ready);

/* Returns the milliseconds until the next check if no descriptor becomes
 * readable; -1: never. */
long cs_file_watch_wait(const cs_file_watch *w);
