/* An arena with free lists by size, for the many small objects of an
 * interpreter. An allocation takes a third of the time of malloc. */
#pragma once

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CS_SMALL = 128, /* size of the largest block in bytes */
    CS_SMALL_STEP = 16,
    CS_SMALL_ARENA = 32 << 20
};

/* An arena; a zeroed struct is an empty arena. */
typedef struct cs_arena {
    void *block; /* [own] unused pages are never touched */
    char *arena; /* start of the arena in `block`, at its first large page */
    size_t used;
    bool tried;
    void *free[CS_SMALL / CS_SMALL_STEP]; /* free lists by size */
} cs_arena;

/* Resizes a block to `new` bytes, like realloc; new = 0 frees the block. `old`
 * is the size that was last requested for the block. Large blocks, and all
 * blocks once the arena is full, are allocated by cs_reallocate. On failure
 * returns NULL, and `block` remains valid. */
void *cs_arena_reallocate(cs_arena *s, void *block, size_t old, size_t new);

/* Returns the index of the free list for blocks of `bytes` >= 1 bytes. */
static inline size_t cs_arena_list(size_t bytes)
{
    return (bytes - 1) / CS_SMALL_STEP;
}

static inline bool cs_arena_has(const cs_arena *s, const void *block)
{
    return s->arena &&
           (size_t)((const char *)block - s->arena) < CS_SMALL_ARENA;
}

/* Returns a block that was freed before, or NULL. The function is inline
 * because requests are frequent. In a test that injects faults the function
 * always returns NULL, so that every request is counted. */
static inline void *cs_arena_take(cs_arena *s, size_t bytes)
{
    if (bytes - 1 >= CS_SMALL || cs_memory_watched())
        return NULL;
    void **list = &s->free[cs_arena_list(bytes)], **block = *list;
    if (block)
        *list = *block;
    return block;
}

/* Frees a block of the arena; returns false if the block is not in the
 * arena. */
static inline bool cs_arena_give(cs_arena *s, void *block, size_t bytes)
{
    if (!cs_arena_has(s, block))
        return false;
    void **list = &s->free[cs_arena_list(bytes)], **head = block;
    *head = *list;
    *list = block;
    return true;
}

/* Frees all blocks of cs_arena_reallocate except large ones. */
void cs_arena_fini(cs_arena *s);
