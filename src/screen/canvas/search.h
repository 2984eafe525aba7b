/* Search of rows by typed words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if each of the blank-separated `words` occurs in one of text[n],
 * ignoring case. */
bool cs_search(const char *words, const char *const *text, size_t n);
