/* Named arrays and strings in one contiguous buffer, without pointers. Probes
 * report their results in this form, the session passes these results to the
 * screen, and `run:summary()` reads them. The caller of a writer provides the
 * memory, which may be shared memory. A reader need not trust the bytes,
 * because every look-up is bounds-checked.
 *
 * Keys are paths: "arm/1/acceptance/rate". A value is a string, or an array of
 * rows x cols doubles in row-major order. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CS_FLAT_KEY = 72 };   /* maximum bytes of a key, with its terminator */
enum { CS_FLAT_LEAST = 24 }; /* minimum bytes of an entry */

typedef struct cs_flat {
    unsigned char *base; /* [borrowed] aligned to 8 */
    size_t capacity;
    size_t used;
    bool full; /* an entry did not fit and was left out */
} cs_flat;

/* Starts an empty table in `memory` [borrowed] of `capacity` bytes. */
void cs_flat_begin(cs_flat *f, void *memory, size_t capacity);

/* Reserves a rows x cols array under `key`, which the caller fills. If the
 * array does not fit, sets f->full and returns NULL. [borrowed until the next
 * cs_flat_begin] */
double *cs_flat_array(cs_flat *f, size_t rows, size_t cols, const char *key,
                      ...) __attribute__((format(printf, 4, 5)));

/* Reserves n rows, like cs_flat_array; each row is a struct of doubles. Returns
 * NULL if the rows do not fit. */
#define CS_FLAT_ROWS(f, type, n, ...)                                          \
    ((type *)(void *)cs_flat_array(f, n, sizeof(type) / sizeof(double),        \
                                   __VA_ARGS__))

/* Adds one number to the table, under `key`. */
void cs_flat_number(cs_flat *f, double number, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a string to the table, under `key`. */
void cs_flat_text(cs_flat *f, const char *text, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* Reserves a string of n bytes under `key`. The caller fills the string with
 * any bytes except 0; the bytes may also be small numbers. Returns NULL if the
 * string does not fit. */
char *cs_flat_room(cs_flat *f, size_t n, const char *key, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to the table all entries of another table, base[used]. */
void cs_flat_add(cs_flat *f, const unsigned char *base, size_t used);

/* An entry returned by a look-up; `data` and `text` point into the buffer. */
typedef struct cs_flat_entry {
    const char *key;
    size_t rows, cols;
    const double *data; /* NULL for a string */
    const char *text;   /* NULL for an array */
} cs_flat_entry;

/* Returns an array as rows of a struct of doubles, or NULL if the array does
 * not have one column per member. */
#define CS_ENTRY_ROWS(entry, type)                                             \
    ((const type *)(const void *)((entry).cols ==                              \
                                          sizeof(type) / sizeof(double)        \
                                      ? (entry).data                           \
                                      : NULL))

/* Iterates over the entries of base[used]. *at starts at 0. Returns false at
 * the end or at invalid bytes. */
bool cs_flat_next(const unsigned char *base, size_t used, size_t *at,
                  cs_flat_entry *entry);

/* Finds `key`; returns false if it does not exist. The time is linear in the
 * number of entries. To look up keys of every arm, use a cs_flat_index. */
bool cs_flat_find(const unsigned char *base, size_t used, cs_flat_entry *entry,
                  const char *key, ...) __attribute__((format(printf, 4, 5)));

/* Formats a key. A long key is truncated to CS_FLAT_KEY bytes, including its
 * terminator. Gives the same result as vsnprintf(), in a tenth of the time if
 * the format has only %zu, %d and %s (base/flat_key.c). */
void cs_flat_key(char key[CS_FLAT_KEY], const char *format, va_list args);
