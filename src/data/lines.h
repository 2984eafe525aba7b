/* Text files read whole, and taken apart: lines, fields, numbers. Every reader
 * of data uses it. The decimal separator is a point in every locale. */
#pragma once

#include "base/status.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

enum { CS_FILE_BYTES = 256 << 20 /* largest file that is read */ };

/* Bytes of a text, not ended by a zero. */
typedef struct cs_word_span {
    const char *at, *end;
} cs_word_span;

/* A place in a text: the lines from `at` on. */
typedef struct cs_lines {
    const char *at, *end;
    const char *where; /* names the text in errors [borrowed] */
    int line;          /* the number of the line read last, from 1 */
    locale_t plain, before;
} cs_lines;

/* The bytes of the file at `path`, unpacked if it is gzipped; without zlib that
 * is CS_UNSUPPORTED. `kind` ("CSV file") and the path stand in the error. [own,
 * cs_free *text] Cold. */
cs_status cs_data_read(const char *path, const char *kind, char **text,
                       size_t *size, cs_error *err);

/* What takes the lines apart into `out`, which it leaves empty when it fails. */
typedef cs_status cs_lines_reader(cs_lines *l, void *out, cs_error *err);

/* Has `reader` read the lines of text[size] [borrowed], after a byte order mark if
 * it has one; of a text, and of a file. Meanwhile the thread reads decimal points
 * as points. */
cs_status cs_lines_parse(const char *text, size_t size, const char *where,
                         cs_lines_reader *reader, void *out, cs_error *err);
cs_status cs_lines_read(const char *path, const char *kind,
                        cs_lines_reader *reader, void *out, cs_error *err);

/* The next line that says something, without blanks around it; false at the
 * end. Lines that begin with # are skipped. */
bool cs_lines_next(cs_lines *l, cs_word_span *line);

/* Without the blanks (and carriage returns) at both ends. */
cs_word_span cs_word_trim(cs_word_span s);

/* Removes the next blank-separated word from the line. Empty at the end. */
cs_word_span cs_word_next(cs_word_span *line);

bool cs_word_is(cs_word_span s, const char *text);

/* The field as a number, infinities and NaN among them, or as a finite one;
 * false if invalid. */
bool cs_word_real(cs_word_span s, double *number);
bool cs_word_number(cs_word_span s, double *number);

/* The field as a whole number from `low` to `high`. */
bool cs_word_whole(cs_word_span s, double low, double high, double *number);

/* Fails with the place that was read last. */
cs_status cs_lines_refuse(const cs_lines *l, cs_status status, cs_error *err,
                          const char *what, const char *hint);
