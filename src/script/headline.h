/* The description of a scenario, read from its text without running it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A missing field is "". `names` lists the kernels and targets in the text
 * (K.mala, "mala"), separated by blanks. */
typedef struct cs_headline {
    char title[200], shows[400], source[200], tags[128], names[256];
} cs_headline;

/* Reads text[size]. The text must end with `return cs.scenario { ... }` or
 * `return { ... }`. In the table, each of title, shows, source and tags must be
 * a single string literal. Returns false if the text is ambiguous or a string
 * does not fit; in that case the file must be run. */
bool cs_headline_read(const char *text, size_t size, cs_headline *out);
