/* The queue is a ring buffer of words; positions are counted from the start of
 * the queue. The owner increases `head`, and the thread increases `tail`. They
 * take the lock only to sleep or to wake the other side. Each side sets its
 * flag (`idle` or `awaited`) before it checks the queue for the last time and
 * sleeps. */
#include "io/writer.h"

#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/* Size of the ring in words, and minimum number of rows that fit. */
enum { ROOM = 1 << 18, ROWS = 4 };

/* The header of a group of rows in the ring. */
typedef struct item {
    cs_cmdstan *file; /* NULL: the rest of the ring is unused */
    size_t rows, words;
} item;
enum { HEAD = (sizeof(item) + sizeof(double) - 1) / sizeof(double) };

struct cs_writer {
    double *ring; /* [capacity] the ring buffer, in words [own] */
    size_t capacity;
    atomic_size_t head, tail;
    atomic_bool idle, awaited; /* idle: the thread sleeps; awaited: the owner
                                * waits */
    atomic_bool quit;
    atomic_int broken; /* a cs_status; once it is set, `why` no longer
                        * changes */
    cs_error why;
    bool alone; /* true if there is no thread, so that the caller writes */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t go, moved;
};

static void write_rows(cs_writer *w, cs_cmdstan *file, const double *rows,
                       size_t n)
{
    cs_error why;
    if (atomic_load(&w->broken))
        return;
    cs_status status = cs_cmdstan_rows(file, rows, n, &why);
    if (status == CS_OK)
        return;
    w->why = why;
    atomic_store(&w->broken, (int)status);
}

/* ---- the thread ---------------------------------------------------------- */

/* Wakes the other thread if it sleeps. */
static void wake(cs_writer *w, atomic_bool *sleeps, pthread_cond_t *bell)
{
    if (!atomic_load(sleeps))
        return;
    pthread_mutex_lock(&w->lock);
    pthread_cond_signal(bell);
    pthread_mutex_unlock(&w->lock);
}

/* Waits for rows; returns false if no more rows will follow. */
static bool wait_for_rows(cs_writer *w, size_t tail)
{
    bool more = atomic_load(&w->head) != tail;
    if (more)
        return true;
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->idle, true);
    while (!(more = atomic_load(&w->head) != tail) && !atomic_load(&w->quit))
        pthread_cond_wait(&w->go, &w->lock);
    atomic_store(&w->idle, false);
    pthread_mutex_unlock(&w->lock);
    return more;
}

static void *serve(void *self)
{
    cs_writer *w = self;
    size_t tail = 0;
    while (wait_for_rows(w, tail)) {
        item next;
        const double *at = w->ring + tail % w->capacity;
        memcpy(&next, at, sizeof next);
        if (next.file)
            write_rows(w, next.file, at + HEAD, next.rows);
        tail += next.words;
        atomic_store(&w->tail, tail);
        wake(w, &w->awaited, &w->moved);
    }
    return NULL;
}

/* ---- the owner ----------------------------------------------------------- */

/* Waits until at most `words` words are queued. */
static void wait_until_left(cs_writer *w, size_t words)
{
    size_t head = atomic_load(&w->head);
    if (head - atomic_load(&w->tail) <= words)
        return;
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->awaited, true);
    while (head - atomic_load(&w->tail) > words)
        pthread_cond_wait(&w->moved, &w->lock);
    atomic_store(&w->awaited, false);
    pthread_mutex_unlock(&w->lock);
}

/* Appends an item to the queue. The item is placed at the start of the ring if
 * there is no room for it at the end of the ring. */
static void enqueue(cs_writer *w, cs_cmdstan *file, const double *rows,
                    size_t n, size_t columns)
{
    size_t head = atomic_load(&w->head), at = head % w->capacity;
    item next = {file, n, HEAD + n * columns};
    if (w->capacity - at < next.words + HEAD) {
        item over = {NULL, 0, w->capacity - at};
        wait_until_left(w, w->capacity - over.words);
        memcpy(w->ring + at, &over, sizeof over);
        atomic_store(&w->head, head += over.words);
        at = 0;
    }
    wait_until_left(w, w->capacity - next.words);
    memcpy(w->ring + at, &next, sizeof next);
    memcpy(w->ring + at + HEAD, rows, n * columns * sizeof *rows);
    atomic_store(&w->head, head + next.words);
    wake(w, &w->idle, &w->go);
}

void cs_writer_rows(cs_writer *w, cs_cmdstan *file, const double *rows,
                    size_t n, size_t columns)
{
    size_t most = (w->capacity / 2 - 2 * HEAD) / columns;
    assert(most > 0);
    if (w->alone) {
        write_rows(w, file, rows, n);
        return;
    }
    for (size_t part; n && !atomic_load(&w->broken); n -= part) {
        part = n < most ? n : most;
        enqueue(w, file, rows, part, columns);
        rows += part * columns;
    }
}

cs_status cs_writer_failure(cs_writer *w, cs_error *err)
{
    cs_status status = (cs_status)atomic_load(&w->broken);
    if (status && err)
        *err = w->why;
    return status;
}

cs_status cs_writer_wait(cs_writer *w, cs_error *err)
{
    if (!w->alone)
        wait_until_left(w, 0);
    return cs_writer_failure(w, err);
}

/* Starts the thread with all signals blocked, so that the owner receives
 * them. */
static void start(cs_writer *w)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    w->alone = pthread_create(&w->thread, NULL, serve, w) != 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

cs_status cs_writer_create(cs_writer **out, size_t columns, cs_error *err)
{
    cs_writer *w = cs_alloc(1, sizeof *w);
    size_t least = 2 * (ROWS * columns + 2 * HEAD);
    double *ring = cs_alloc(least < ROOM ? ROOM : least, sizeof *ring);
    if (!w || !ring) {
        cs_free(w);
        cs_free(ring);
        return cs_fail(err, CS_MEMORY, "out of memory for the writer of draws");
    }
    w->ring = ring;
    w->capacity = least < ROOM ? ROOM : least;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->go, NULL);
    pthread_cond_init(&w->moved, NULL);
    start(w);
    *out = w;
    return CS_OK;
}

void cs_writer_destroy(cs_writer *w)
{
    if (!w)
        return;
    if (!w->alone) {
        pthread_mutex_lock(&w->lock);
        atomic_store(&w->quit, true);
        pthread_cond_signal(&w->go);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->go);
    pthread_cond_destroy(&w->moved);
    pthread_mutex_destroy(&w->lock);
    cs_free(w->ring);
    cs_free(w);
}
