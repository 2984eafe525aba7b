/* A watched folder, for the files that read it and that report its events. */
#pragma once

#include "io/watched.h"

#include <sys/types.h>

/* Seconds without news after which the writers are checked. */
#define CS_WATCHED_SILENCE 3.0

enum { CS_WATCHED_WORDS = 400, CS_WATCHED_FILES = 4096 };

typedef struct cs_watched_file {
    cs_tail *tail; /* the file's reader [own] */
    bool shown;    /* true if the file is a chain of an arm */
    bool reported; /* true if its fault was reported */
} cs_watched_file;

struct cs_watched {
    char *folder;   /* path of the folder [own] */
    bool gathered;  /* true for a temporary folder with draws that the user gave
                     * as files */
    dev_t device;   /* device number of the opened folder */
    ino_t number;   /* inode number of the opened folder */
    double checked; /* time when the device and inode numbers were last
                     * compared */
    char **folders; /* [n_folders] all watched folders, including `folder`
                     * [own] */
    size_t n_folders, folders_room;
    cs_watched_file *file; /* [n] files, ordered by arm and number [own] */
    size_t n, capacity;
    cs_watched_arm *arm; /* [n_arms] the arms [own] */
    size_t n_arms;
    int fd;      /* inotify descriptor; -1: none */
    bool remote; /* true if other machines may write without notification */
    bool grown;
    bool many; /* true if there are too many files; many_reported: this was
                * reported */
    bool many_reported;
    char other
        [CS_WATCHED_WORDS]; /* reason why the folder must be reopened; "": none */
    double news;            /* time when files last changed */
    double rest;            /* time before which nothing is read */
    double tried;           /* time when the last look ended */
    bool sought;      /* true if the writers have been checked since the time
                        * `news` */
    bool died, ended; /* died: a dead writer was reported; ended: the end was
                        * reported */
};

/* Returns true if the file contains draws and its header is complete. */
bool cs_watched_is_chain(const cs_tail_view *v);
/* Returns true for a completed chain that may be shorter than the others, such
 * as one that has stopped. Chains of other programs, which name no arm, should
 * have equal lengths. */
bool cs_watched_is_whole(const cs_tail_view *v);
/* Returns the number of draws of the longest chain of an arm. */
uint64_t cs_watched_longest(const cs_watched *w, const char *arm);
/* Returns true if no arm will have more draws. */
bool cs_watched_all_ended(const cs_watched *w);
