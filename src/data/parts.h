/* A fingerprint, written as lines "NAME = VALUE". A saved run stores the
 * fingerprints of its target and its arms. If a fingerprint differs when the
 * run is loaded, the difference can be reported with both values. Long lists
 * end in a digest. */
#pragma once

#include "base/page.h"
#include "base/param.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void cs_parts_text(cs_page *p, const char *name, const char *text);
void cs_parts_number(cs_page *p, const char *name, double x);
void cs_parts_digest(cs_page *p, const char *name, const char *kind,
                     uint64_t digest);
/* Writes x[rows * cols] in row-major order. */
void cs_parts_numbers(cs_page *p, const char *name, const double *x,
                      size_t rows, size_t cols);
/* Writes a digest of a file's contents, or only its name if it is not a regular
 * file. */
void cs_parts_file(cs_page *p, const char *name, const char *path);
/* Writes the value of a parameter: the name of a choice, a number, a list
 * ... */
void cs_parts_value(cs_page *p, const cs_param *row, const cs_value *v);

/* Writes the lines of `text`, each after "WHERE: ". NULL is allowed. */
void cs_parts_of(cs_page *p, const char *where, const char *text);

/* Writes the shortest decimal that reads back as x to text[size >= 32]. */
void cs_parts_spell(double x, char *text, size_t size);

/* Describes the first difference, for example as "target: means.2 was 4, is 5".
 * Returns false if the fingerprints are equal. */
bool cs_parts_differ(const char *was, const char *is, char *text, size_t size);
