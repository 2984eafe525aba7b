/* The only way to the heap. Every byte the library owns comes through here,
 * so that a test can make the n-th request fail (and every later one). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Alignment of every block: one AVX-512 vector. */
#define CS_ALIGN 64

/* Whether an array begins where every vector can be loaded; NULL does. */
static inline bool cs_is_aligned(const void *array)
{
    return (uintptr_t)array % CS_ALIGN == 0;
}

/* Zeroed memory for `count` items of `size` bytes, aligned to CS_ALIGN; NULL
 * when the product overflows, the heap refuses, or a test says so. A request
 * of zero bytes yields a valid, freeable block. [own] */
void *cs_alloc(size_t count, size_t size);

/* Grows or shrinks `block` (NULL allowed) from old_bytes to new_bytes; new
 * bytes are zero. On failure NULL, and `block` stays valid. [own] */
void *cs_resize(void *block, size_t old_bytes, size_t new_bytes);

/* Makes room for `more` items of `size` bytes after the present `n` in *items
 * (NULL allowed), doubling *room. Old items are kept and new ones are zeroed.
 * Returns false, without changes, if out of memory. */
bool cs_grow(void **items, size_t n, size_t *room, size_t more, size_t size);
#define CS_GROW(items, n, room, more)                                          \
    cs_grow((void **)&(items), n, &(room), more, sizeof *(items))

/* The same for long arrays whose new items are written before they are read:
 * new items are not zeroed, and only the first n old items are kept. */
bool cs_extend(void **items, size_t n, size_t *room, size_t more, size_t size);
#define CS_EXTEND(items, n, room, more)                                        \
    cs_extend((void **)&(items), n, &(room), more, sizeof *(items))

/* Frees a block; NULL is fine. */
void cs_free(void *block);

/* Frees several blocks; NULL is fine. */
void cs_free_each(void *const *block, size_t n);
#define CS_FREE_ALL(...)                                                       \
    cs_free_each((void *const[]){__VA_ARGS__},                                 \
                 sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

/* realloc for the heap of an interpreter (lua_Alloc), whose objects are many and
 * small: neither zeroed nor aligned to CS_ALIGN, never for cs_free. `block` may
 * be NULL; 0 bytes free it. On failure NULL, and `block` stays valid.
 * [own] */
void *cs_reallocate(void *block, size_t bytes);

/* A hint: this block is large, and gone through from end to end or read at
 * random, so that large pages are worth their making. Before it is written. */
void cs_memory_large(void *block, size_t bytes);
enum { CS_LARGE_PAGE = 2 << 20 };

/* For a process that has runs: the heap keeps freed memory, because the next
 * trace or run soon requests as much, and new pages of the system would cost a
 * fault for every 4 KiB. A front must not call it: its large blocks would stay
 * resident. */
void cs_memory_keep_freed(void);

/* A copy of a string. [own] NULL when out of memory or `text` is NULL. */
char *cs_copy_text(const char *text);

/* Tests: from now on the n-th request (1 = the next) fails; with `for_ever`
 * all later ones too. n = 0: no more failures. The environment variable
 * CHAINSCOPE_MEMFAIL=n does the same from the start of the program. */
void cs_memory_fail_at(unsigned long n, bool for_ever);

/* How many requests were made since the last cs_memory_fail_at. */
unsigned long cs_memory_requests(void);

/* True if fault injection is on: an arena, which keeps memory of its own for
 * small requests, must then forward every request. */
bool cs_memory_watched(void);

/* Limits the bytes allocated at one time from now on (0: no limit). Existing
 * blocks and blocks from cs_reallocate do not count. */
void cs_memory_limit(size_t bytes);
/* Returns the bytes allocated under that limit; 0 without a limit. */
size_t cs_memory_held(size_t *limit);
/* Whether a request was refused for that limit, since that was last
 * forgotten. */
bool cs_memory_refused(bool forget);

/* Returns the largest number of further bytes that this process can allocate:
 * the machine's memory, or the process's share of it. */
double cs_memory_max(void);
