/* Text that grows as it is written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Begins as {0}. `text` [own: cs_free] is terminated, NULL while nothing was
 * written; with `full` memory ran out and something is missing. */
typedef struct cs_page {
    char *text;
    size_t used, room;
    bool full;
} cs_page;

void cs_page_put(cs_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As JSON has them: a text in quotes, in which U+FFFD stands for each byte that
 * is not UTF-8; a number, or null where it is not finite. */
void cs_page_quoted(cs_page *p, const char *text);
void cs_page_number(cs_page *p, double x);
