/* Finds the entries of a cs_flat table by their keys in constant time, for readers
 * that look up many: each look-up of cs_flat_find walks the whole table. */
#pragma once

#include "base/flat.h"

/* Slots without heap memory: for tables of half this many entries. */
enum { CS_INDEX_SLOTS = 8192 };

/* An open-addressing hash table of offsets. It starts zeroed, and is made again for
 * each table; the slots on the heap are kept in between. */
typedef struct cs_flat_index {
    const unsigned char *base; /* the table [borrowed] */
    size_t used;
    size_t slots; /* in use, a power of two; 0: each look-up walks the table */
    uint32_t *more; /* [room] slots of a larger table [own] */
    size_t room;
    uint32_t at[CS_INDEX_SLOTS]; /* 1 + offset / 8; 0: empty */
} cs_flat_index;

/* Indexes base[used], which must not move while the index is used; base may be NULL.
 * Without memory for the slots each look-up walks the table. */
void cs_flat_index_make(cs_flat_index *x, const unsigned char *base,
                        size_t used);

/* As cs_flat_find; the first of equal keys is found. Every look-up is
 * bounds-checked, so that bytes that change meanwhile do no harm. */
bool cs_flat_index_find(const cs_flat_index *x, cs_flat_entry *entry,
                        const char *key, ...)
    __attribute__((format(printf, 3, 4)));
bool cs_flat_index_find_key(const cs_flat_index *x, cs_flat_entry *entry,
                            const char *key);

/* Frees the slots on the heap; the index may be made again. */
void cs_flat_index_free(cs_flat_index *x);
