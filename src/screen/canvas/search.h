/* Search of rows by typed words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether each of the blank-separated `words` is in one of text[n],
 * ignoring case. */
bool cs_search(const char *words, const char *const *text, size_t n);
