/* Reads a text file line by line, in pieces, so that files of any size are
 * read. */
#pragma once

#include "data/lines.h"

#include <stdint.h>
#include <stdio.h>

typedef struct cs_text_lines {
    FILE *file;
    const char *path; /* [borrowed] */
    char *text;       /* the part of the file that is in memory [own] */
    size_t capacity, begin, used;
    int line;           /* number of the last line, from 1 */
    uint64_t at, after; /* offsets of the last line and of the next one */
    bool mark;          /* true if the file starts with a byte order mark */
    bool crlf;          /* true if a line ended in CR LF */
    bool open;          /* true if the last line has no line break */
} cs_text_lines;

/* Opens a regular file. Call cs_text_close afterwards, also after a failure. */
cs_status cs_text_open(cs_text_lines *t, const char *path, cs_error *err);
void cs_text_close(cs_text_lines *t);

/* Sets *line to the next line without its line break, valid until the next
 * call. Sets *more to false at the end of the file. Fails for a line with a
 * zero byte and for a line of more than 64 MiB. */
cs_status cs_text_next(cs_text_lines *t, cs_word_span *line, bool *more,
                       cs_error *err);

/* Sets an error at the last line, and returns its status. */
cs_status cs_text_refuse(const cs_text_lines *t, cs_error *err,
                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));
