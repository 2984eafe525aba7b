/* Named arrays and texts in one contiguous buffer, without pointers: what a
 * probe reports, what the session shows the screen, what `run:summary()`
 * reads. A writer fills memory it was given (shared memory too); a reader may
 * distrust the bytes: every look-up is bounds-checked.
 *
 * Keys are paths: "arm/1/acceptance/rate". Values are rows x cols doubles,
 * row-major, or a text. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_FLAT_KEY = 72 };   /* bytes of the longest key, with its end */
enum { CS_FLAT_LEAST = 24 }; /* bytes of an entry, at least */

typedef struct cs_flat {
    unsigned char *base; /* [borrowed] aligned to 8 */
    size_t capacity;
    size_t used;
    bool full; /* something did not fit and was left out */
} cs_flat;

/* Starts an empty table in `memory` [borrowed] of `capacity` bytes. */
void cs_flat_begin(cs_flat *f, void *memory, size_t capacity);

/* Room for a rows x cols array under `key`, to be filled by the caller; NULL
 * (and f->full) when there is no room. [borrowed until the next begin] */
double *cs_flat_array(cs_flat *f, size_t rows, size_t cols, const char *key,
                      ...) __attribute__((format(printf, 4, 5)));

/* The same as n rows of a struct of doubles: NULL when there is no room. */
#define CS_FLAT_ROWS(f, type, n, ...)                                          \
    ((type *)(void *)cs_flat_array(f, n, sizeof(type) / sizeof(double),        \
                                   __VA_ARGS__))

/* One number under `key`. */
void cs_flat_number(cs_flat *f, double number, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* A text under `key`. */
void cs_flat_text(cs_flat *f, const char *text, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* Room for a text of n characters, to be filled by the caller with others than
 * 0: small numbers of one each, say. NULL when there is no room. */
char *cs_flat_room(cs_flat *f, size_t n, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* All entries of another table, base[used]. */
void cs_flat_add(cs_flat *f, const unsigned char *base, size_t used);

/* An entry that was found; `data` and `text` point into the buffer. */
typedef struct cs_flat_entry {
    const char *key;
    size_t rows, cols;
    const double *data; /* NULL for a text */
    const char *text;   /* NULL for an array */
} cs_flat_entry;

/* The rows of an array as structs of doubles, NULL where they are others. */
#define CS_ENTRY_ROWS(entry, type)                                             \
    ((const type *)(const void *)((entry).cols ==                              \
                                          sizeof(type) / sizeof(double)        \
                                      ? (entry).data                           \
                                      : NULL))

/* Walks the entries of base[used]: *at starts at 0; false at the end or at
 * bytes that make no sense. */
bool cs_flat_next(const unsigned char *base, size_t used, size_t *at,
                  cs_flat_entry *entry);

/* Finds `key`; false if it is not there. Linear in the number of entries: who looks
 * up keys of every arm makes a cs_flat_index. */
bool cs_flat_find(const unsigned char *base, size_t used, cs_flat_entry *entry,
                  const char *key, ...) __attribute__((format(printf, 4, 5)));

/* Writes a key, cut to CS_FLAT_KEY with its end: what vsnprintf() would, in a
 * tenth of the time where the format has only %zu, %d and %s (base/flat_key.c). */
void cs_flat_key(char key[CS_FLAT_KEY], const char *format, va_list args);
