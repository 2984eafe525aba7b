/* An arena with free lists by size for the small objects of an interpreter,
 * which come and go by the thousand: a third of the time that malloc takes. */
#pragma once

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CS_SMALL = 128, /* bytes: the largest */
    CS_SMALL_STEP = 16,
    CS_SMALL_ARENA = 32 << 20
};

/* All zero: nothing yet. */
typedef struct cs_arena {
    void *block; /* [own] of which only what is used is ever touched */
    char *arena; /* in it, from its first large page on */
    size_t used;
    bool tried;
    void *free[CS_SMALL / CS_SMALL_STEP]; /* lists, by size */
} cs_arena;

/* What realloc(block, new) does, new = 0: frees; `old` is what was last asked
 * for. Large blocks, and all once there is no more room, are those of
 * cs_reallocate. On failure NULL, and `block` stays valid. */
void *cs_arena_reallocate(cs_arena *s, void *block, size_t old, size_t new);

/* Which list a block of so many bytes, at least one, is from. */
static inline size_t cs_arena_list(size_t bytes)
{
    return (bytes - 1) / CS_SMALL_STEP;
}

static inline bool cs_arena_has(const cs_arena *s, const void *block)
{
    return s->arena &&
           (size_t)((const char *)block - s->arena) < CS_SMALL_ARENA;
}

/* What is asked by the thousand is inline: a block that somebody freed before,
 * NULL: there is none. A test that makes requests fail sees all of them. */
static inline void *cs_arena_take(cs_arena *s, size_t bytes)
{
    if (bytes - 1 >= CS_SMALL || cs_memory_watched())
        return NULL;
    void **list = &s->free[cs_arena_list(bytes)], **block = *list;
    if (block)
        *list = *block;
    return block;
}

/* Frees a block of the arena; false: it is none. */
static inline bool cs_arena_give(cs_arena *s, void *block, size_t bytes)
{
    if (!cs_arena_has(s, block))
        return false;
    void **list = &s->free[cs_arena_list(bytes)], **head = block;
    *head = *list;
    *list = block;
    return true;
}

/* Frees what cs_arena_reallocate gave, large blocks aside. */
void cs_arena_fini(cs_arena *s);
