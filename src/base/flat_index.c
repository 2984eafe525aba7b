#include "base/flat_index.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdarg.h>
#include <string.h>

static const uint32_t *slots_of(const cs_flat_index *x)
{
    return x->slots > CS_INDEX_SLOTS ? x->more : x->at;
}

/* Reads the entry at `place`. This number is 1 plus the entry's offset in units
 * of 8 bytes. */
static bool entry_at(const cs_flat_index *x, uint32_t place,
                     cs_flat_entry *entry)
{
    size_t at = 8 * ((size_t)place - 1);
    return place && cs_flat_next(x->base, x->used, &at, entry);
}

/* Returns the slot of a key, and reads the entry of the key. If the key has no
 * entry, returns a free slot where the key may be stored. At least half of the
 * slots are empty. */
static size_t slot_of(const cs_flat_index *x, const char *key,
                      cs_flat_entry *entry)
{
    const uint32_t *slot = slots_of(x);
    uint64_t h = 0;
    for (const char *at = key; *at; at++)
        h = h * 31 + (unsigned char)*at;
    size_t i = (size_t)cs_hash_word(0, h) & (x->slots - 1);
    while (slot[i] &&
           !(entry_at(x, slot[i], entry) && strcmp(entry->key, key) == 0))
        i = (i + 1) & (x->slots - 1);
    return i;
}

/* Makes room for n entries and empties all slots. Returns the slots, or NULL if
 * out of memory. */
static uint32_t *clear(cs_flat_index *x, size_t n)
{
    size_t slots = 64;
    while (slots < 2 * n)
        slots *= 2;
    if (slots > CS_INDEX_SLOTS && slots > x->capacity) {
        cs_free(x->more);
        x->more = cs_alloc(slots, sizeof *x->more);
        x->capacity = x->more ? slots : 0;
        if (!x->more)
            return NULL;
    }
    x->slots = slots;
    uint32_t *slot = slots > CS_INDEX_SLOTS ? x->more : x->at;
    memset(slot, 0, slots * sizeof *slot);
    return slot;
}

void cs_flat_index_make(cs_flat_index *x, const unsigned char *base,
                        size_t used)
{
    cs_flat_entry e, other;
    size_t n = 0;
    x->base = base;
    x->used = used;
    x->slots = 0;
    for (size_t at = 0; base && cs_flat_next(base, used, &at, &e);)
        n++;
    uint32_t *slot = used / 8 < UINT32_MAX ? clear(x, n) : NULL;
    for (size_t at = 0, next = 0;
         slot && n && cs_flat_next(base, used, &next, &e); at = next, n--) {
        size_t i = slot_of(x, e.key, &other);
        if (!slot[i]) /* only the first of equal keys is indexed */
            slot[i] = (uint32_t)(at / 8 + 1);
    }
}

bool cs_flat_index_find_key(const cs_flat_index *x, cs_flat_entry *entry,
                            const char *key)
{
    if (!x->base)
        return false;
    if (!x->slots)
        return cs_flat_find(x->base, x->used, entry, "%s", key);
    return slots_of(x)[slot_of(x, key, entry)] != 0;
}

bool cs_flat_index_find(const cs_flat_index *x, cs_flat_entry *entry,
                        const char *key, ...)
{
    char wanted[CS_FLAT_KEY];
    va_list args;
    va_start(args, key);
    cs_flat_key(wanted, key, args);
    va_end(args);
    return cs_flat_index_find_key(x, entry, wanted);
}

void cs_flat_index_free(cs_flat_index *x)
{
    cs_free(x->more);
    x->more = NULL;
    x->capacity = x->slots = 0;
    x->base = NULL;
}
