/* The last line of an answer of the session, "== WORDS", which tells the front
 * how it ended. */
#pragma once

#include <string.h>

/* Cuts the last line off. Returns its words, or "" if the answer has none. */
static inline const char *cs_last_line(char *text)
{
    static const char mark[] = "\n== ";
    char *at = strrchr(text, '\n');
    if (!at || strncmp(at, mark, sizeof mark - 1) != 0)
        return "";
    at[1] = 0;
    return at + sizeof mark - 1;
}
