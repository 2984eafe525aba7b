/* A buffer for text, which grows as needed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Initialize the struct with {0}. `text` [own: cs_free] is terminated, or is
 * NULL while the page is empty. `full` means out of memory: some text is
 * missing. */
typedef struct cs_page {
    char *text;
    size_t used, capacity;
    bool full;
} cs_page;

void cs_page_put(cs_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Write JSON values: a string in quotes, where U+FFFD replaces each byte that
 * is not UTF-8; a number, or null if it is not finite. */
void cs_page_quoted(cs_page *p, const char *text);
void cs_page_number(cs_page *p, double x);

/* Writes x with the fewest digits, at least fifteen, that read back as x; or
 * "nan", "inf" or "-inf". */
void cs_page_exact(cs_page *p, double x);
