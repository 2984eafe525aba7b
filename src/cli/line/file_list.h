/* A word of the command line that names one file or folder, or several files:
 * [NAME=]FILE[,FILE...]. */
#pragma once

#include "cli/line/subcommand.h"
#include "io/formats/gather_files.h"

enum { CS_LIST_NAME = 256 };

typedef struct cs_file_list {
    char name[CS_LIST_NAME]; /* NAME, or the name of the first file without
                              * folder and ending; without control characters */
    bool named;              /* true if the word has a NAME */
    const char *path[CS_ARGS_WORDS]; /* [n]; the strings are part of `text` */
    size_t n;
    char text[CS_GATHER_PATH];
} cs_file_list;

/* Splits a word. The name of an existing file may have any characters. Returns
 * CS_INPUT if the word names no file. */
cs_status cs_file_list_read(const char *word, cs_file_list *out, cs_error *err);
