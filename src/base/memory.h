/* The only functions that use the heap. The library makes every allocation
 * through them, so that a test can make the n-th request and every later one
 * fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Alignment of every block: one AVX-512 vector. */
#define CS_ALIGN 64

/* Returns true if the array is aligned to CS_ALIGN, as vector loads require.
 * Also returns true for NULL. */
static inline bool cs_is_aligned(const void *array)
{
    return (uintptr_t)array % CS_ALIGN == 0;
}

/* Allocates zeroed memory for `count` items of `size` bytes, aligned to
 * CS_ALIGN. Returns NULL if the product overflows, memory is short, or a test
 * injects a fault. A request of zero bytes yields a valid block that can be
 * freed. [own] */
void *cs_alloc(size_t count, size_t size);

/* Grows or shrinks `block` (NULL allowed) from old_bytes to new_bytes. New
 * bytes are zero. On failure returns NULL, and `block` remains valid. [own] */
void *cs_resize(void *block, size_t old_bytes, size_t new_bytes);

/* Ensures space for `more` items of `size` bytes after the first n items of
 * *items (NULL allowed). *capacity is the number of items that fit; it is
 * doubled if necessary. Old items are kept, and new items are zeroed. If out of
 * memory, returns false and changes nothing. */
bool cs_grow(void **items, size_t n, size_t *capacity, size_t more,
             size_t size);
#define CS_GROW(items, n, capacity, more)                                      \
    cs_grow((void **)&(items), n, &(capacity), more, sizeof *(items))

/* Does the work of cs_grow for a long array. The caller must write each new
 * item before reading it: new items are not zeroed. Only the first n items are
 * kept. */
bool cs_extend(void **items, size_t n, size_t *capacity, size_t more,
               size_t size);
#define CS_EXTEND(items, n, capacity, more)                                    \
    cs_extend((void **)&(items), n, &(capacity), more, sizeof *(items))

/* Frees a block; NULL is allowed. */
void cs_free(void *block);

/* Frees several blocks; NULL is allowed. */
void cs_free_each(void *const *block, size_t n);
#define CS_FREE_ALL(...)                                                       \
    cs_free_each((void *const[]){__VA_ARGS__},                                 \
                 sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

/* realloc for the heap of an interpreter (lua_Alloc), which has many small
 * objects. Blocks are neither zeroed nor aligned to CS_ALIGN and must not be
 * passed to cs_free. `block` may be NULL; 0 bytes free it. On failure returns
 * NULL, and `block` remains valid. [own] */
void *cs_reallocate(void *block, size_t bytes);

/* Requests large pages for a large block that is read from end to end or at
 * random. Call it before the block is written. */
void cs_memory_large(void *block, size_t bytes);
enum { CS_LARGE_PAGE = 2 << 20 };

/* Makes the heap keep freed memory. A process that has runs calls this
 * function: the next trace or run soon requests the same amount of memory, and
 * new pages from the system would cost a page fault for every 4 KiB. A front
 * end must not call this function, because its large blocks would remain
 * resident. */
void cs_memory_keep_freed(void);

/* Returns a copy of a string, or NULL if out of memory or `text` is NULL.
 * [own] */
char *cs_copy_text(const char *text);

/* For tests: makes the n-th request from now (1 = the next) fail. If `for_ever`
 * is true, all later requests fail, too. If n is 0, no more requests fail. The
 * environment variable CHAINSCOPE_MEMFAIL=n has this effect from the start of
 * the program. */
void cs_memory_fail_at(unsigned long n, bool for_ever);

/* Returns the number of requests since the last call of cs_memory_fail_at. */
unsigned long cs_memory_requests(void);

/* Returns true if fault injection is on. In this case an arena must forward
 * every request, whereas it normally serves small requests from its own
 * memory. */
bool cs_memory_watched(void);

/* From now on, limits the total size of the blocks that exist at one time (0:
 * no limit). Existing blocks and blocks from cs_reallocate do not count. */
void cs_memory_limit(size_t bytes);
/* Returns the number of allocated bytes that count towards the limit of
 * cs_memory_limit, and sets *limit to this limit. Returns 0 if there is no
 * limit. */
size_t cs_memory_held(size_t *limit);
/* Returns true if a request was refused because of the limit. If `forget` is
 * true, later calls no longer count this refusal. */
bool cs_memory_refused(bool forget);

/* Returns the largest number of further bytes that this process can allocate:
 * the machine's memory, or the limit of this process. */
double cs_memory_max(void);
