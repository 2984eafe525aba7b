/* What a scenario says of itself, read from its text: nothing is run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A field that is not written is "". `names`: the kernels and targets that the
 * text names, between blanks: K.mala, "mala". */
typedef struct cs_headline {
    char title[200], shows[400], source[200], tags[128], names[256];
} cs_headline;

/* Reads text[size], which ends with a file's last statement, `return
 * cs.scenario { ... }` or `return { ... }`, whose title, shows, source and tags
 * are written as single strings. False where it is not surely so, or a string does
 * not fit: only running the file then tells. */
bool cs_headline_read(const char *text, size_t size, cs_headline *out);
