/* Reads text files and splits them into lines, fields and numbers. Every reader
 * of data uses these functions. The decimal separator is a point in every
 * locale. */
#pragma once

#include "base/status.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

enum { CS_FILE_BYTES = 256 << 20 /* maximum size of a file */ };

/* A part of a text, not terminated by a zero. */
typedef struct cs_word_span {
    const char *at, *end;
} cs_word_span;

/* A position in a text. The lines from `at` to the end have not been read
 * yet. */
typedef struct cs_lines {
    const char *at, *end;
    const char *where; /* name of the text in errors [borrowed] */
    int line;          /* number of the last line that was read, counted from
                        * 1 */
    locale_t plain, before;
} cs_lines;

/* Reads the file at `path`. A gzipped file is unpacked; in a build without
 * zlib, it causes the error CS_UNSUPPORTED. Errors name `kind` ("CSV file") and
 * the path. [own, cs_free *text] For setup only. */
cs_status cs_data_read(const char *path, const char *kind, char **text,
                       size_t *size, cs_error *err);

/* Reads the lines into `out`; must leave `out` empty if it fails. */
typedef cs_status cs_lines_reader(cs_lines *l, void *out, cs_error *err);

/* Call `reader` for the lines of text[size] [borrowed], or for the lines of a
 * file. Skip a byte order mark at the start. While `reader` runs, the thread
 * uses a locale with decimal points. */
cs_status cs_lines_parse(const char *text, size_t size, const char *where,
                         cs_lines_reader *reader, void *out, cs_error *err);
cs_status cs_lines_read(const char *path, const char *kind,
                        cs_lines_reader *reader, void *out, cs_error *err);

/* Returns the next line that is not blank, without surrounding blanks. Skips
 * lines that start with #. Returns false at the end. */
bool cs_lines_next(cs_lines *l, cs_word_span *line);

/* Removes the blanks (and carriage returns) at both ends. */
cs_word_span cs_word_trim(cs_word_span s);

/* Removes the next word, delimited by blanks, from the line and returns it. The
 * word is empty at the end of the line. */
cs_word_span cs_word_next(cs_word_span *line);

bool cs_word_is(cs_word_span s, const char *text);

/* Read the field as a number: the first function accepts infinities and NaN,
 * the second only finite numbers. Return false if the field is invalid. */
bool cs_word_real(cs_word_span s, double *number);
bool cs_word_number(cs_word_span s, double *number);

/* Reads the field as an integer from `low` to `high`. */
bool cs_word_whole(cs_word_span s, double low, double high, double *number);

/* Returns `status` and sets an error at the line read last. */
cs_status cs_lines_refuse(const cs_lines *l, cs_status status, cs_error *err,
                          const char *what, const char *hint);
