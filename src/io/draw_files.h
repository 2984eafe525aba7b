/* The files of draws of one arm, a chain each, as a user names them. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_draw_files {
    char **path; /* [n] [own], each too */
    size_t n, room;
    char arm[208];  /* that was wanted, or of the first file; "": not known */
    bool other;     /* there is another arm than that, */
    char name[208]; /* called so */
} cs_draw_files;

/* word[n]: one folder, of which files of `arm` are taken (NULL: of the only one
 * there is), in the order of their numbers; or files. End it with
 * cs_draw_files_free, whatever is returned. */
cs_status cs_draw_files_find(const char *const *word, size_t n, const char *arm,
                             cs_draw_files *f, cs_error *err);
void cs_draw_files_free(cs_draw_files *f);

typedef struct cs_draw_file {
    char *path, *arm; /* [own] */
} cs_draw_file;

/* All files of draws of a folder: those of an arm together, in the order of their
 * numbers. */
typedef struct cs_draw_folder {
    cs_draw_file *file; /* [n] [own] */
    size_t n, room;
} cs_draw_folder;

/* Reads the head of each file once, for callers that compare many arms. An error
 * where it is no folder, or not as its manifest says. End it with
 * cs_draw_folder_free, whatever is returned. */
cs_status cs_draw_folder_read(const char *folder, cs_draw_folder *f,
                              cs_error *err);
/* The *n files of an arm, NULL: none. */
const cs_draw_file *cs_draw_folder_arm(const cs_draw_folder *f, const char *arm,
                                       size_t *n);
void cs_draw_folder_free(cs_draw_folder *f);
