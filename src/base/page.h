/* A buffer for text, which grows as needed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A page is initialised with {0}. `text` [own: cs_free] is terminated, or is
 * NULL while the page is empty. If `full` is true, memory ran out, and some
 * text is missing. */
typedef struct cs_page {
    char *text;
    size_t used, capacity;
    bool full;
} cs_page;

void cs_page_put(cs_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Write JSON values. A string is written in quotes, with U+FFFD for each byte
 * that is not UTF-8. A number is written as null if it is not finite. */
void cs_page_quoted(cs_page *p, const char *text);
void cs_page_number(cs_page *p, double x);

/* Writes x with the fewest digits, but at least fifteen, that read back as x;
 * or writes "nan", "inf" or "-inf". */
void cs_page_exact(cs_page *p, double x);
