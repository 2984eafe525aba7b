/* Finds the files of draws of one arm, from the paths that a user has given.
 * There is one file per chain. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_draw_files {
    char **path; /* [n] paths of the files; array and paths are [own] */
    size_t n, capacity;
    char arm[208]; /* name of the requested arm, or of the first file's arm; "":
                    * unknown */
    bool other;    /* true if the folder also has files of another arm */
    char name[208]; /* name of this other arm */
} cs_draw_files;

/* Finds the files for word[n]. The words are one folder, or a list of files.
 * From a folder, uses the files of the arm `arm`, in the order of their
 * numbers. If `arm` is NULL, the folder must have only one arm. Call
 * cs_draw_files_free afterwards, also after a failure. */
cs_status cs_draw_files_find(const char *const *word, size_t n, const char *arm,
                             cs_draw_files *f, cs_error *err);
void cs_draw_files_free(cs_draw_files *f);

typedef struct cs_draw_file {
    char *path, *arm; /* path of the file, and name of its arm [own] */
} cs_draw_file;

/* All files of draws of a folder, grouped by arm and ordered by number. */
typedef struct cs_draw_folder {
    cs_draw_file *file; /* [n] the files [own] */
    size_t n, capacity;
} cs_draw_folder;

/* Reads the header of each file once, for callers that compare many arms. Fails
 * if `folder` is not a folder or does not match its manifest. Call
 * cs_draw_folder_free afterwards, also after a failure. */
cs_status cs_draw_folder_read(const char *folder, cs_draw_folder *f,
                              cs_error *err);
/* Returns the files of an arm and sets *n to their number. Returns NULL if the
 * arm has no files. */
const cs_draw_file *cs_draw_folder_arm(const cs_draw_folder *f, const char *arm,
                                       size_t *n);
void cs_draw_folder_free(cs_draw_folder *f);
