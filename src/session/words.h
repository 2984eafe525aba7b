/* A command line cut into words, as a shell would: blanks separate, single
 * and double quotes keep together, a backslash takes the next character as it
 * is (not between single quotes). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CS_WORDS = 256 };

/* Cuts `line` in place into word[CS_WORDS]. */
cs_status cs_words_cut(char *line, char **word, size_t *n, cs_error *err);

/* `text` quoted so that cs_words_cut gives it back, into out[size]; returns
 * false when it does not fit. */
bool cs_words_quote(const char *text, char *out, size_t size);
