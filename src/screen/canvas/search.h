/* Rows that are found by words that are typed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether each of `words`, which blanks separate, is in one of text[n], be its
 * letters large or small. */
bool cs_search(const char *words, const char *const *text, size_t n);
