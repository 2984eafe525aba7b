/* Names of columns. Programs write the elements of an array as theta[2,3],
 * theta.2.3 or "theta[2, 3]"; all become theta.2.3. */
#pragma once

#include "io/formats/formats.h"

typedef struct cs_column_names {
    char **name; /* [n] [own] */
    size_t n, capacity;
    size_t renamed; /* number of names with brackets */
    char first[80]; /* the first one, as in the file */
    size_t mended;  /* number of names with characters that CSV files of draws
                     * cannot contain, which became "_" */
} cs_column_names;

/* Appends the name text[n]. Fails if it is empty or too long. */
cs_status cs_names_add(cs_column_names *c, const char *text, size_t n,
                       cs_error *err);
void cs_names_free(cs_column_names *c);

/* Fails if two names are equal; the error has the numbers of both columns. */
cs_status cs_names_check(const cs_column_names *c, cs_error *err);

/* Reports changed names to the sink. */
void cs_names_note(const cs_column_names *c, const cs_draw_sink *sink);
