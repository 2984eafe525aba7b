#include "script/state/dumped.h"

#include "base/memory.h"

#include <string.h>

/* The size of the header of a dumped function: "\x1bLua", version, format,
 * check bytes, sizes, an integer, a number, and the number of upvalues. */
enum { HEAD = 4 + 1 + 1 + 6 + 3 + 8 + 8 + 1 };

static int collect(lua_State *L, const void *bytes, size_t n, void *to)
{
    cs_dumped *d = to;
    (void)L;
    if (d->n + n > d->capacity) {
        size_t capacity = 2 * (d->n + n);
        unsigned char *bigger = cs_resize(d->byte, d->capacity, capacity);
        if (!bigger)
            return 1;
        d->byte = bigger;
        d->capacity = capacity;
    }
    memcpy(d->byte + d->n, bytes, n);
    d->n += n;
    return 0;
}

bool cs_dumped_open(cs_dumped *d, lua_State *L, int index)
{
    *d = (cs_dumped){.at = HEAD};
    lua_pushvalue(L, index);
    bool good = lua_dump(L, collect, d, 1) == 0 && d->n > HEAD;
    lua_pop(L, 1);
    return good;
}

void cs_dumped_close(cs_dumped *d)
{
    cs_free(d->byte);
}

const unsigned char *cs_dumped_take(cs_dumped *d, size_t n)
{
    if (d->bad || n > d->n - d->at) {
        d->bad = true;
        return NULL;
    }
    d->at += n;
    return d->byte + d->at - n;
}

size_t cs_dumped_count(cs_dumped *d)
{
    size_t n = 0;
    for (int i = 0; i < 10; i++) {
        const unsigned char *b = cs_dumped_take(d, 1);
        if (!b)
            return 0;
        n = n << 7 | (*b & 0x7f);
        if (*b & 0x80)
            return n;
    }
    d->bad = true;
    return 0;
}

const char *cs_dumped_text(cs_dumped *d, size_t *n)
{
    size_t size = cs_dumped_count(d); /* the length of the string plus one; 0:
                                       * no string */
    *n = size ? size - 1 : 0;
    return size < 2 ? NULL : (const char *)cs_dumped_take(d, size - 1);
}
