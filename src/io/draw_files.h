/* The files of draws of one arm, a chain each, as a user names them. */
#ifndef CS_IO_DRAW_FILES_H
#define CS_IO_DRAW_FILES_H

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

#endif
