/* The files of draws of one arm, one per chain, as given by a user. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_draw_files {
    char **path; /* [n] [own], each too */
    size_t n, room;
    char arm
        [208];  /* the requested arm, or that of the first file; "": unknown */
    bool other; /* there are files of another arm, */
    char name[208]; /* with this name */
} cs_draw_files;

/* Finds the files of word[n]: one folder, of which the files of `arm` are used
 * (NULL: of its only arm), ordered by number; or files. End with
 * cs_draw_files_free, whatever is returned. */
cs_status cs_draw_files_find(const char *const *word, size_t n, const char *arm,
                             cs_draw_files *f, cs_error *err);
void cs_draw_files_free(cs_draw_files *f);

typedef struct cs_draw_file {
    char *path, *arm; /* [own] */
} cs_draw_file;

/* All files of draws of a folder, grouped by arm and ordered by number. */
typedef struct cs_draw_folder {
    cs_draw_file *file; /* [n] [own] */
    size_t n, room;
} cs_draw_folder;

/* Reads the header of each file once, for callers that compare many arms. Fails
 * if it is not a folder or disagrees with its manifest. End with
 * cs_draw_folder_free, whatever is returned. */
cs_status cs_draw_folder_read(const char *folder, cs_draw_folder *f,
                              cs_error *err);
/* Returns the *n files of an arm; NULL: none. */
const cs_draw_file *cs_draw_folder_arm(const cs_draw_folder *f, const char *arm,
                                       size_t *n);
void cs_draw_folder_free(cs_draw_folder *f);
