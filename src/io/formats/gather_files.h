/* Gives all commands one form of draws: files in CmdStan's layout in a folder.
 * Files in other formats are converted to a temporary folder, with rows of
 * doubles in place of text: each number is parsed once. */
#pragma once

#include "base/page.h"
#include "base/status.h"
#include "io/draw_files.h"
#include "io/formats/formats.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_GATHER_PATH = 4096, CS_GATHER_CHAINS = 4096 };

/* Name of the file in the temporary folder that describes its draws: the first
 * line is a title, and each further line is a note. */
#define CS_GATHER_SOURCE ".source"

typedef struct cs_gather_options {
    const char *groups; /* further groups of netCDF files; NULL: none */
    const char *arm;    /* name of the arm; NULL: "draws" */
    bool link;    /* true: links native files in a folder, so that commands that
                   * expect a folder follow them while they grow; false: leaves
                   * them where they are */
    bool convert; /* true: converts native files, too */
    bool only;    /* true: fails for a file whose format is unknown; false:
                   * leaves it, since it may be a scenario */
    bool tell;    /* true: the notes are also written to the folder, so that the
                   * session reports them */
} cs_gather_options;

typedef struct cs_gathered {
    char folder[CS_GATHER_PATH]; /* temporary folder; "": the files are left as
                                  * they are */
    cs_page notes; /* assumptions of the readers, "FILE: NOTE", one per line */
} cs_gathered;

/* Returns true for a temporary folder with such files. */
bool cs_gather_is(const char *folder);

/* Returns the part of a path after its last '/'. */
const char *cs_gather_name(const char *path);

/* Gathers the draws of word[n], files or one folder. A folder with native files
 * of draws is left. All files of other formats become one arm; the chains are
 * numbered in the order of the files. Their columns must be the same. Call
 * cs_gathered_free afterwards, also after a failure. */
cs_status cs_draws_gather(const char *const *word, size_t n,
                          const cs_gather_options *how, cs_gathered *out,
                          cs_error *err);
/* Lists the files that cs_draws_gather would read from word[n], files or one
 * folder, if all have this format; otherwise the list is empty. Call
 * cs_draw_files_free afterwards, also after a failure. */
cs_status cs_gather_list(const char *const *word, size_t n,
                         const cs_draw_format *format, cs_draw_files *out,
                         cs_error *err);
/* Removes the temporary folder. */
void cs_gathered_free(cs_gathered *g);
