/* Splits a command line into words, as a shell does: blanks separate words,
 * single or double quotes enclose a word with blanks, and a backslash escapes
 * the next character (not between single quotes). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_WORDS = 256 };

/* Splits `line` in place into word[CS_WORDS]. */
cs_status cs_words_cut(char *line, char **word, size_t *n, cs_error *err);

/* Quotes `text` for out[size] so that cs_words_cut restores it. Returns false
 * if the result does not fit. */
bool cs_words_quote(const char *text, char *out, size_t size);
