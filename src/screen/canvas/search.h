/* Search of rows by typed words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if each of the blank-separated `words` occurs in at least one of
 * text[n], ignoring case. A word of at least five letters also matches the
 * beginning of a word of the text that differs in one letter, except in the
 * first letter. */
bool cs_search(const char *words, const char *const *text, size_t n);
