#include "session/client/snapshot.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20 /* on Linux; POSIX 2008 lacks the name */
#endif

enum { FRESH = 4, SLOT = 3 };

cs_snapshots *cs_snapshots_map(void)
{
    void *at = mmap(NULL, sizeof(cs_snapshots), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    cs_snapshots *s = at;
    atomic_init(&s->ready, 1);
    atomic_init(&s->published, 0);
    return s;
}

void cs_snapshots_unmap(cs_snapshots *s)
{
    if (s)
        munmap(s, sizeof *s);
}

cs_snapshot_end cs_snapshot_writer(cs_snapshots *s)
{
    return (cs_snapshot_end){.shared = s, .mine = 0};
}

cs_snapshot_end cs_snapshot_reader(cs_snapshots *s)
{
    return (cs_snapshot_end){.shared = s, .mine = 2};
}

void cs_snapshot_begin(cs_snapshot_end *w, cs_flat *table)
{
    assert(w->mine < CS_SNAPSHOT_SLOTS);
    cs_flat_begin(table, w->shared->slot[w->mine], CS_SNAPSHOT_BYTES);
}

void cs_snapshot_publish(cs_snapshot_end *w, const cs_flat *table)
{
    assert(table->base == w->shared->slot[w->mine]);
    assert(table->used <= CS_SNAPSHOT_BYTES);
    w->shared->used[w->mine] = table->used;
    unsigned old = atomic_exchange_explicit(&w->shared->ready, w->mine | FRESH,
                                            memory_order_acq_rel);
    w->mine = old & SLOT;
    atomic_fetch_add_explicit(&w->shared->published, 1, memory_order_relaxed);
}

bool cs_snapshot_is_taken(const cs_snapshot_end *w)
{
    return !(atomic_load_explicit(&w->shared->ready, memory_order_relaxed) &
             FRESH);
}

/* Releases the pages of a slot from this process. The slot is seldom the next
 * slot that is used, and its contents remain in the shared buffer. */
static void let_go(unsigned char *slot, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = ((uintptr_t)slot + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)slot + bytes) / page * page;
    if (to > from)
        madvise(slot + (from - (uintptr_t)slot), to - from, MADV_DONTNEED);
}

static size_t used_of(const cs_snapshots *s, unsigned slot)
{
    size_t n = (size_t)s->used[slot];
    return n <= CS_SNAPSHOT_BYTES ? n : 0;
}

bool cs_snapshot_take(cs_snapshot_end *r, const unsigned char **base,
                      size_t *used)
{
    cs_snapshots *s = r->shared;
    if (!(atomic_load_explicit(&s->ready, memory_order_relaxed) & FRESH))
        return false;
    let_go(s->slot[r->mine], used_of(s, r->mine));
    unsigned old =
        atomic_exchange_explicit(&s->ready, r->mine, memory_order_acq_rel);
    /* The other process may have written any value, so the index is forced into
     * its range. */
    r->mine = (old & SLOT) % CS_SNAPSHOT_SLOTS;
    *base = s->slot[r->mine];
    *used = used_of(s, r->mine);
    return true;
}
