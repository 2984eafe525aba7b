#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* The fault injector: written by tests only, counted by all. */
static struct {
    atomic_ulong requests;
    atomic_ulong fail_at;
    atomic_bool for_ever;
    atomic_bool read_environment;
} gate;

static void read_environment(void)
{
    const char *n = getenv("CHAINSCOPE_MEMFAIL");
    if (n)
        atomic_store(&gate.fail_at, strtoul(n, NULL, 10));
}

static bool refused(void)
{
    if (!atomic_exchange(&gate.read_environment, true))
        read_environment();
    unsigned long n = atomic_fetch_add(&gate.requests, 1) + 1;
    unsigned long at = atomic_load(&gate.fail_at);
    return at && (n == at || (n > at && atomic_load(&gate.for_ever)));
}

/* calloc, not aligned_alloc and memset: memory fresh from the system is zero
 * already, and of a large block only the pages that are used are ever touched.
 * Before the aligned block stands where the whole begins. */
void *cs_alloc(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 2 * CS_ALIGN) / size)
        return NULL;
    size_t bytes = count * size;
    bytes = (bytes / CS_ALIGN + 1) * CS_ALIGN;
    if (refused())
        return NULL;
    char *whole = calloc(1, bytes + CS_ALIGN);
    if (!whole)
        return NULL;
    char *block = whole + CS_ALIGN - (uintptr_t)whole % CS_ALIGN;
    memcpy(block - sizeof whole, &whole, sizeof whole);
    return block;
}

void cs_memory_large(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE = 2 << 20 };
    uintptr_t from = ((uintptr_t)block + LARGE - 1) / LARGE * LARGE;
    uintptr_t to = ((uintptr_t)block + bytes) / LARGE * LARGE;
    if (block && to > from)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

void *cs_resize(void *block, size_t old_bytes, size_t new_bytes)
{
    void *next = cs_alloc(1, new_bytes);
    if (next && block) {
        memcpy(next, block, old_bytes < new_bytes ? old_bytes : new_bytes);
        cs_free(block);
    }
    return next;
}

void *cs_reallocate(void *block, size_t bytes)
{
    if (bytes)
        return refused() ? NULL : realloc(block, bytes);
    free(block);
    return NULL;
}

bool cs_grow(void **items, size_t n, size_t *room, size_t more, size_t size)
{
    if (n + more <= *room)
        return true;
    size_t want = *room ? *room : 16;
    while (want < n + more)
        want *= 2;
    void *p = cs_resize(*items, *room * size, want * size);
    if (!p)
        return false;
    *items = p;
    *room = want;
    return true;
}

void cs_free(void *block)
{
    char *whole;
    if (!block)
        return;
    memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
    free(whole);
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
    atomic_store(&gate.read_environment, true);
    atomic_store(&gate.requests, 0);
    atomic_store(&gate.fail_at, n);
    atomic_store(&gate.for_ever, for_ever);
}

unsigned long cs_memory_requests(void)
{
    return atomic_load(&gate.requests);
}

double cs_memory_most(void)
{
    struct rlimit limit;
    double most =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && (double)limit.rlim_cur < most)
        most = (double)limit.rlim_cur;
    return most;
}
