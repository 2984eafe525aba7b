#include "script/state/arena.h"

#include <stdint.h>
#include <string.h>

static void *fresh(cs_arena *s, size_t bytes)
{
    if (!s->tried) {
        s->tried = true;
        s->block = cs_alloc(CS_SMALL_ARENA + CS_LARGE_PAGE, 1);
        if (!s->block)
            return NULL;
        cs_memory_large(s->block, CS_SMALL_ARENA + CS_LARGE_PAGE);
        s->arena = (char *)s->block + -(uintptr_t)s->block % CS_LARGE_PAGE;
    }
    if (!s->arena || s->used + bytes > CS_SMALL_ARENA)
        return NULL;
    s->used += bytes;
    return s->arena + s->used - bytes;
}

static void *take(cs_arena *s, size_t bytes)
{
    void *block = cs_arena_take(s, bytes);
    if (block || bytes > CS_SMALL || cs_memory_watched())
        return block;
    return fresh(s, (cs_arena_list(bytes) + 1) * CS_SMALL_STEP);
}

static void give(cs_arena *s, void *block, size_t bytes)
{
    if (!cs_arena_give(s, block, bytes))
        cs_reallocate(block, 0);
}

static void *make(cs_arena *s, size_t bytes)
{
    void *block = take(s, bytes);
    return block ? block : cs_reallocate(NULL, bytes);
}

/* Moves a block to a list of another size. If no memory is left, a block that
 * is to become smaller stays where it is. */
static void *move(cs_arena *s, void *block, size_t old, size_t new)
{
    bool ours = cs_arena_has(s, block);
    if (ours && new <= CS_SMALL && cs_arena_list(new) == cs_arena_list(old))
        return block;
    void *to = ours ? make(s, new) : take(s, new);
    if (!to)
        return ours ? NULL : cs_reallocate(block, new);
    memcpy(to, block, old < new ? old : new);
    give(s, block, old);
    return to;
}

void *cs_arena_reallocate(cs_arena *s, void *block, size_t old, size_t new)
{
    if (!block)
        return new ? make(s, new) : NULL;
    if (new)
        return move(s, block, old, new);
    give(s, block, old);
    return NULL;
}

void cs_arena_fini(cs_arena *s)
{
    cs_free(s->block);
    *s = (cs_arena){0};
}
