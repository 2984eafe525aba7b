/* Where the entries of a snapshot are: a picture looks up a thousand, and each
 * would be a walk over hundreds. */
#ifndef CS_SCREEN_SHOT_INDEX_H
#define CS_SCREEN_SHOT_INDEX_H

#include "base/flat.h"

#include <stdarg.h>

enum { CS_INDEX_SLOTS = 8192 };
typedef struct cs_shot_index {
    const unsigned char *base; /* the table [borrowed] */
    size_t used;
    bool whole; /* it has all entries: they were not too many */
    uint32_t at[CS_INDEX_SLOTS]; /* 1 + offset / 8, 0: none */
} cs_shot_index;

/* The index of base[used], until it changes. */
void cs_shot_index_make(cs_shot_index *x, const unsigned char *base,
                        size_t used);

/* As cs_flat_find. */
bool cs_shot_index_find(const cs_shot_index *x, cs_flat_entry *entry,
                        const char *key);

/* Writes a key, cut to CS_FLAT_KEY with its end: what vsnprintf() would, in a
 * tenth of the time where there is nothing but %zu, %d and %s in it. */
void cs_shot_key(char key[CS_FLAT_KEY], const char *format, va_list args);

#endif
