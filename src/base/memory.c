#include "base/memory.h"

#include <assert.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* The fault injector, set only by tests. Requests are not counted unless a test
 * enables it, because all threads would share the counter's cache line. */
static struct {
    atomic_ulong requests;
    atomic_ulong fail_at;
    atomic_bool for_ever;
    atomic_int watched; /* 1: no, 2: yes, 0: read the environment variable
                         * first */
} gate;

enum { NOBODY = 1, SOMEBODY };

/* Bytes allocated while a limit is set; without a limit they are not
 * counted. */
static struct {
    atomic_size_t most, now;
    atomic_bool refused;
} held;

/* Counts the bytes as allocated; returns false if they would exceed the
 * limit. */
static bool hold(size_t bytes)
{
    size_t most = atomic_load_explicit(&held.most, memory_order_relaxed);
    if (!most)
        return true;
    size_t before =
        atomic_fetch_add_explicit(&held.now, bytes, memory_order_relaxed);
    if (before <= most && bytes <= most - before)
        return true;
    atomic_fetch_sub_explicit(&held.now, bytes, memory_order_relaxed);
    atomic_store(&held.refused, true);
    return false;
}

static void let_go(size_t bytes)
{
    if (bytes)
        atomic_fetch_sub_explicit(&held.now, bytes, memory_order_relaxed);
}

/* Header before each block. It fits into the space that the alignment of
 * malloc's result leaves unused. */
typedef struct head {
    void *whole;  /* start of the allocation */
    size_t bytes; /* bytes counted towards the limit */
} head;

_Static_assert(sizeof(head) <= _Alignof(max_align_t), "a head has no room");

static int read_environment(void)
{
    const char *n = getenv("CHAINSCOPE_MEMFAIL");
    if (n)
        atomic_store(&gate.fail_at, strtoul(n, NULL, 10));
    atomic_store(&gate.watched, n ? SOMEBODY : NOBODY);
    return n ? SOMEBODY : NOBODY;
}

bool cs_memory_watched(void)
{
    int watched = atomic_load_explicit(&gate.watched, memory_order_relaxed);
    return (watched ? watched : read_environment()) == SOMEBODY;
}

static bool refused(void)
{
    if (!cs_memory_watched())
        return false;
    unsigned long n = atomic_fetch_add(&gate.requests, 1) + 1;
    unsigned long at = atomic_load(&gate.fail_at);
    return at && (n == at || (n > at && atomic_load(&gate.for_ever)));
}

/* Returns the start of the aligned block in an allocation of malloc. */
static char *block_in(char *whole)
{
    return whole + CS_ALIGN - (uintptr_t)whole % CS_ALIGN;
}

static void set_head(char *block, char *whole, size_t counted)
{
    const head own = {whole, counted};
    memcpy(block - sizeof own, &own, sizeof own);
}

/* Poisons the unused bytes after a block, so that AddressSanitizer reports an
 * overrun by a few items. */
static void fence(const char *block, size_t bytes, const char *whole,
                  size_t whole_bytes)
{
#if defined __SANITIZE_ADDRESS__
    const char *end = block + bytes;
    __asan_poison_memory_region(end, (size_t)(whole + whole_bytes - end));
#else
    (void)block, (void)bytes, (void)whole, (void)whole_bytes;
#endif
}

/* Allocates by malloc or calloc instead of aligned_alloc and memset. Memory
 * that is new from the system is already zero, and the unused pages of a large
 * block are never touched. */
static void *allocate(size_t bytes, bool zero)
{
    if (bytes > SIZE_MAX - 2 * CS_ALIGN || refused())
        return NULL;
    size_t whole_bytes = (bytes / CS_ALIGN + 2) * CS_ALIGN;
    if (!hold(whole_bytes))
        return NULL;
    size_t counted = atomic_load_explicit(&held.most, memory_order_relaxed)
                         ? whole_bytes
                         : 0;
    char *whole = zero ? calloc(1, whole_bytes) : malloc(whole_bytes);
    if (!whole) {
        let_go(counted);
        return NULL;
    }
    char *block = block_in(whole);
    set_head(block, whole, counted);
    fence(block, bytes, whole, whole_bytes);
    return block;
}

/* Returns the offset of the block in its allocation. The code is in a function
 * of its own for the following reason. Otherwise the compiler may compute the
 * offset only after realloc, and warn that a freed pointer is used. */
static __attribute__((noipa)) size_t offset_in(const head *own,
                                               const char *block)
{
    return (size_t)(block - (const char *)own->whole);
}

/* Resizes the block. The first `used` bytes are kept and new bytes are not
 * zeroed. On failure returns NULL and leaves the block unchanged. Uses realloc,
 * because the system remaps a large block instead of copying it. */
static void *stretch(char *block, size_t used, size_t bytes)
{
    head own;
    memcpy(&own, block - sizeof own, sizeof own);
    const size_t offset = offset_in(&own, block);
    if (bytes > SIZE_MAX - 2 * CS_ALIGN || refused())
        return NULL;
    size_t whole_bytes = (bytes / CS_ALIGN + 2) * CS_ALIGN;
    if (!hold(whole_bytes))
        return NULL;
    size_t counted = atomic_load_explicit(&held.most, memory_order_relaxed)
                         ? whole_bytes
                         : 0;
    char *whole = realloc(own.whole, whole_bytes);
    if (!whole) {
        let_go(counted);
        return NULL;
    }
    let_go(own.bytes);
    char *next = block_in(whole);
    if (next != whole + offset)
        memmove(next, whole + offset, used);
    set_head(next, whole, counted);
    fence(next, bytes, whole, whole_bytes);
    return next;
}

void *cs_alloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return allocate(count * size, true);
}

void cs_memory_large(void *block, size_t bytes)
{
    assert(block);
#ifdef MADV_HUGEPAGE
    const uintptr_t large = CS_LARGE_PAGE;
    uintptr_t from = ((uintptr_t)block + large - 1) / large * large;
    uintptr_t to = ((uintptr_t)block + bytes) / large * large;
    if (block && to > from)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

void cs_memory_keep_freed(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

/* Does not request large pages, because a block that grows may never be
 * filled. */
void *cs_resize(void *block, size_t old_bytes, size_t new_bytes)
{
    assert(block || old_bytes == 0);
    enum { LARGE = 1 << 17 };
    bool fresh = !block || new_bytes >= LARGE;
    char *next = allocate(new_bytes, fresh);
    if (!next || !block)
        return next;
    memcpy(next, block, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (!fresh && old_bytes < new_bytes)
        memset(next + old_bytes, 0, new_bytes - old_bytes);
    cs_free(block);
    return next;
}

void *cs_reallocate(void *block, size_t bytes)
{
    if (bytes)
        return refused() ? NULL : realloc(block, bytes);
    free(block);
    return NULL;
}

static size_t doubled(size_t capacity, size_t items)
{
    size_t want = capacity ? capacity : 16;
    while (want < items)
        want *= 2;
    return want;
}

bool cs_grow(void **items, size_t n, size_t *capacity, size_t more, size_t size)
{
    assert(size > 0 && n <= *capacity);
    if (n + more <= *capacity)
        return true;
    size_t want = doubled(*capacity, n + more);
    void *p = cs_resize(*items, *capacity * size, want * size);
    if (!p)
        return false;
    *items = p;
    *capacity = want;
    return true;
}

bool cs_extend(void **items, size_t n, size_t *capacity, size_t more,
               size_t size)
{
    assert(size > 0 && n <= *capacity);
    if (n + more <= *capacity)
        return true;
    size_t want = doubled(*capacity, n + more);
    void *p = *items ? stretch(*items, n * size, want * size)
                     : allocate(want * size, false);
    if (!p)
        return false;
    *items = p;
    *capacity = want;
    return true;
}

void cs_free(void *block)
{
    head own;
    if (!block)
        return;
    memcpy(&own, (char *)block - sizeof own, sizeof own);
    let_go(own.bytes);
    free(own.whole);
}

void cs_free_each(void *const *block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cs_free(block[i]);
}

char *cs_copy_text(const char *text)
{
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = cs_alloc(1, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void cs_memory_fail_at(unsigned long n, bool for_ever)
{
    atomic_store(&gate.watched, SOMEBODY);
    atomic_store(&gate.requests, 0);
    atomic_store(&gate.fail_at, n);
    atomic_store(&gate.for_ever, for_ever);
}

unsigned long cs_memory_requests(void)
{
    return atomic_load(&gate.requests);
}

double cs_memory_max(void)
{
    struct rlimit limit;
    double most =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && (double)limit.rlim_cur < most)
        most = (double)limit.rlim_cur;
    double left =
        (double)atomic_load(&held.most) - (double)atomic_load(&held.now);
    if (atomic_load(&held.most) && left < most)
        most = left;
    return most > 0 ? most : 0;
}

void cs_memory_limit(size_t bytes)
{
    atomic_store(&held.now, 0);
    atomic_store(&held.refused, false);
    atomic_store(&held.most, bytes);
}

size_t cs_memory_held(size_t *limit)
{
    *limit = atomic_load(&held.most);
    return atomic_load(&held.now);
}

bool cs_memory_refused(bool forget)
{
    return forget ? atomic_exchange(&held.refused, false)
                  : atomic_load(&held.refused);
}
