/* Large arrays in a file without a name, in $TMPDIR or /tmp, that is mapped into
 * memory. The system writes pages to the disk when it needs the memory. The file
 * is removed when the process ends, also if it is killed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_spill {
    void *at; /* zeroed at first, aligned to a page; NULL: none [own] */
    size_t bytes;
    bool in_file; /* false: ordinary memory */
} cs_spill;

/* Allocates memory: small arrays in ordinary memory, arrays of at least
 * `from` bytes in a file if one can be made. The space of the file is reserved,
 * so that a full disk is noticed here. Returns false if neither is possible. */
bool cs_spill_begin(cs_spill *s, size_t bytes, size_t from);
void cs_spill_end(cs_spill *s);

/* Removes the pages of a range from the memory of the process. Their contents
 * are kept. Does nothing for ordinary memory. */
void cs_spill_release(const cs_spill *s, const void *from, size_t bytes);

/* Returns the number of bytes that arrays may use: half of the free space of the
 * folder, and at most `most`. */
double cs_spill_most(double most);
