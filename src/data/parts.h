/* What something was made of, as lines "NAME = VALUE": what a saved run keeps
 * of its target and its arms, so that one that differs is known, and what
 * differs can be named with both values. Long lists end in a digest. */
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
/* x[rows * cols], by rows. */
void cs_parts_numbers(cs_page *p, const char *name, const double *x,
                      size_t rows, size_t cols);
/* A file's contents; its name if it is not a regular file. */
void cs_parts_file(cs_page *p, const char *name, const char *path);
/* A value of this row: the name of a choice, a number, a list ... */
void cs_parts_value(cs_page *p, const cs_param *row, const cs_value *v);

/* The lines of `text`, each after "WHERE: ". NULL is allowed. */
void cs_parts_of(cs_page *p, const char *where, const char *text);

/* The shortest text that gives x again, to text[size >= 32]. */
void cs_parts_spell(double x, char *text, size_t size);

/* The first difference in words ("target: means.2 was 4, is 5"); false: no
 * difference. */
bool cs_parts_differ(const char *was, const char *is, char *text, size_t size);
