#include "screen/shot_index.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

typedef struct key_end {
    char *at, *last; /* where it goes on; the room for its end */
} key_end;

static void put(key_end *to, const char *text, size_t n)
{
    size_t room = (size_t)(to->last - to->at);
    n = n < room ? n : room;
    memcpy(to->at, text, n);
    to->at += n;
}

static void put_count(key_end *to, size_t v)
{
    char digits[24], *at = digits + sizeof digits;
    do
        *--at = (char)('0' + v % 10);
    while (v /= 10);
    put(to, at, (size_t)(digits + sizeof digits - at));
}

/* Whether each % in it is one of those that are written here. */
static bool is_plain(const char *format)
{
    while ((format = strchr(format, '%'))) {
        format += 1 + (format[1] == 'z');
        if (!strchr("uds", *format) || !*format ||
            (format[-1] == 'z') != (*format == 'u'))
            return false;
    }
    return true;
}

void cs_shot_key(char key[CS_FLAT_KEY], const char *format, va_list args)
{
    key_end to = {key, key + CS_FLAT_KEY - 1};
    if (!is_plain(format)) {
        vsnprintf(key, CS_FLAT_KEY, format, args);
        return;
    }
    for (const char *from = format; *from;) {
        size_t n = strcspn(from, "%");
        put(&to, from, n);
        from += n;
        if (!*from)
            break;
        if (from[1] == 'z') {
            put_count(&to, va_arg(args, size_t));
        } else if (from[1] == 'd') {
            int v = va_arg(args, int);
            put(&to, "-", v < 0);
            put_count(&to, v < 0 ? (size_t) - (long long)v : (size_t)v);
        } else {
            const char *text = va_arg(args, const char *);
            put(&to, text, strlen(text));
        }
        from += 2 + (from[1] == 'z');
    }
    *to.at = 0;
}

/* The entry that begins at an offset in 8 bytes, from 1. It is bounds-checked
 * each time: the other process may be corrupt. */
static bool entry_at(const cs_shot_index *x, uint32_t place,
                     cs_flat_entry *entry)
{
    size_t at = 8 * ((size_t)place - 1);
    return place && cs_flat_next(x->base, x->used, &at, entry);
}

/* The slot in which a key is, with its entry, or may be put. */
static size_t slot_of(const cs_shot_index *x, const char *key,
                      cs_flat_entry *entry)
{
    uint64_t h = 0;
    for (const char *at = key; *at; at++)
        h = h * 31 + (unsigned char)*at;
    size_t slot = (size_t)cs_hash_word(0, h) % CS_INDEX_SLOTS;
    while (x->at[slot] &&
           !(entry_at(x, x->at[slot], entry) && strcmp(entry->key, key) == 0))
        slot = (slot + 1) % CS_INDEX_SLOTS;
    return slot;
}

void cs_shot_index_make(cs_shot_index *x, const unsigned char *base,
                        size_t used)
{
    cs_flat_entry e, other;
    size_t n = 0;
    memset(x, 0, sizeof *x);
    x->base = base;
    x->used = used;
    for (size_t at = 0, next = 0; base && cs_flat_next(base, used, &next, &e);
         at = next) {
        if (++n > CS_INDEX_SLOTS * 3 / 4 || at / 8 >= UINT32_MAX)
            return;
        size_t slot = slot_of(x, e.key, &other);
        if (!x->at[slot]) /* the first of a name is the one that is found */
            x->at[slot] = (uint32_t)(at / 8 + 1);
    }
    x->whole = true;
}

bool cs_shot_index_find(const cs_shot_index *x, cs_flat_entry *entry,
                        const char *key)
{
    if (!x->whole)
        return x->base && cs_flat_find(x->base, x->used, entry, "%s", key);
    return x->at[slot_of(x, key, entry)] != 0;
}
