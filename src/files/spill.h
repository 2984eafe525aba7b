/* Large arrays in a file without a name that is mapped into memory. The system
 * writes pages to the disk when it needs the memory. The file is removed when
 * the process ends, also if it is killed. It is in $TMPDIR or /tmp, or in
 * /var/tmp if files in /tmp are kept in memory (tmpfs). If files in $TMPDIR are
 * kept in memory, no file is made. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_spill {
    void *at; /* zeroed at first, aligned to a page; NULL: none [own] */
    size_t bytes;
    bool in_file; /* false: ordinary memory */
    int file;     /* descriptor of the file, if there is one [own] */
} cs_spill;

/* Allocates memory: small arrays in ordinary memory, arrays of at least `from`
 * bytes in a file if one can be made, and otherwise in ordinary memory if they
 * have at most `most` bytes. The space of the file is reserved, so that a full
 * disk is noticed here; ordinary memory may be granted without existing.
 * Returns false if neither is possible. */
bool cs_spill_begin(cs_spill *s, size_t bytes, size_t from, size_t most);
void cs_spill_end(cs_spill *s);

/* Call this function before numbers are first stored in a range of a file: it
 * writes zeros there, so that no page is missing. Stores to missing pages take up
 * to ten times as long. Does nothing for ordinary memory. */
void cs_spill_prepare(const cs_spill *s, void *from, size_t bytes);

/* Removes the pages of a range from the memory of the process. Their contents
 * are kept. Does nothing for ordinary memory. */
void cs_spill_release(const cs_spill *s, const void *from, size_t bytes);

/* Copy bytes between memory and a file, from byte number `at` of the array on,
 * without mapped pages: parts of the array that are used once. Return false if
 * the array is not in a file, or after an error of the disk. */
bool cs_spill_write(const cs_spill *s, size_t at, const void *from,
                    size_t bytes);
bool cs_spill_read(const cs_spill *s, size_t at, void *to, size_t bytes);

/* Returns the number of bytes that files may use: half of the free space of the
 * folder, and at most `most`; 0 if no file is made. */
double cs_spill_most(double most);
