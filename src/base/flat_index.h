/* Finds the entries of a cs_flat table by key in constant time. Use it if many
 * keys are looked up, because each look-up by cs_flat_find scans the whole
 * table. */
#pragma once

#include "base/flat.h"

/* Number of slots inside the struct, which need no heap memory. This is enough
 * for a table of 4096 entries. */
enum { CS_INDEX_SLOTS = 8192 };

/* An open-addressing hash table of offsets. A zeroed struct is an empty hash
 * table. The hash table is rebuilt for each cs_flat table; slots on the heap
 * are reused. */
typedef struct cs_flat_index {
    const unsigned char *base; /* the table [borrowed] */
    size_t used;
    size_t slots;   /* number of slots, a power of two; 0: each look-up scans
                     * the table */
    uint32_t *more; /* [capacity] slots of a larger table [own] */
    size_t capacity;
    uint32_t at[CS_INDEX_SLOTS]; /* 1 + offset / 8; 0: empty */
} cs_flat_index;

/* Indexes base[used], which must not move while the index is used; base may be
 * NULL. If memory for the slots is short, each look-up scans the table. */
void cs_flat_index_make(cs_flat_index *x, const unsigned char *base,
                        size_t used);

/* Finds an entry like cs_flat_find. If several entries have equal keys, finds
 * the first one. Every look-up is bounds-checked, so that concurrent changes of
 * the bytes are harmless. */
bool cs_flat_index_find(const cs_flat_index *x, cs_flat_entry *entry,
                        const char *key, ...)
    __attribute__((format(printf, 3, 4)));
bool cs_flat_index_find_key(const cs_flat_index *x, cs_flat_entry *entry,
                            const char *key);

/* Frees the slots on the heap; the index may be built again. */
void cs_flat_index_free(cs_flat_index *x);
