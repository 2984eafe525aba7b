#include "script/small.h"

#include "base/memory.h"

#include <string.h>

enum { ARENA = 32 << 20 };

/* Which list a block of so many bytes, at least one, is from. */
static size_t list_of(size_t bytes)
{
    return (bytes - 1) / CS_SMALL_STEP;
}

static bool is_ours(const cs_small *s, const void *block)
{
    return s->arena && (size_t)((const char *)block - s->arena) < ARENA;
}

static void *fresh(cs_small *s, size_t bytes)
{
    if (!s->tried) {
        s->tried = true;
        s->arena = cs_alloc(ARENA, 1);
    }
    if (!s->arena || s->used + bytes > ARENA)
        return NULL;
    s->used += bytes;
    return s->arena + s->used - bytes;
}

/* NULL: there is none of ours. A test that makes requests fail sees all. */
static inline void *take(cs_small *s, size_t bytes)
{
    if (bytes > CS_SMALL || cs_memory_watched())
        return NULL;
    size_t list = list_of(bytes);
    void **block = s->free[list];
    if (!block)
        return fresh(s, (list + 1) * CS_SMALL_STEP);
    s->free[list] = *block;
    return block;
}

static inline void give(cs_small *s, void *block, size_t bytes)
{
    void **head = block;
    if (!is_ours(s, block)) {
        cs_reallocate(block, 0);
        return;
    }
    *head = s->free[list_of(bytes)];
    s->free[list_of(bytes)] = head;
}

static void *make(cs_small *s, size_t bytes)
{
    void *block = take(s, bytes);
    return block ? block : cs_reallocate(NULL, bytes);
}

/* A block that shrinks where there is no memory at all stays where it is, and
 * then serves as a smaller one. */
static void *move(cs_small *s, void *block, size_t old, size_t new)
{
    bool ours = is_ours(s, block);
    if (ours && new <= CS_SMALL && list_of(new) == list_of(old))
        return block;
    void *to = ours ? make(s, new) : take(s, new);
    if (!to)
        return ours ? NULL : cs_reallocate(block, new);
    memcpy(to, block, old < new ? old : new);
    give(s, block, old);
    return to;
}

void *cs_small_reallocate(cs_small *s, void *block, size_t old, size_t new)
{
    if (!block)
        return new ? make(s, new) : NULL;
    if (new)
        return move(s, block, old, new);
    give(s, block, old);
    return NULL;
}

void cs_small_fini(cs_small *s)
{
    cs_free(s->arena);
    *s = (cs_small){0};
}
