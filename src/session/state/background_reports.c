#include "session/state/background_reports.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/views/reports.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define REST 0.5     /* minimum seconds between two reports on an arm */
#define COPYING 0.01 /* maximum share of the time for copying data */
enum { WEAK = 19 };  /* the thread's nice value */
/* maximum size of the report on one arm by one probe */
enum { REPORT_BYTES = 4 << 20 };

/* The report on an arm by a probe; `at` is 0 before the first report. */
typedef struct report {
    unsigned char *bytes; /* [own] the report, a cs_flat table */
    size_t used, capacity;
    /* step: the step at which the data were copied; wanted: for the report on
     * draws, the value of cs_run_wanted at that time */
    uint64_t step, wanted;
    double at; /* time when the data were copied */
} report;

typedef enum phase { IDLE, ASKED, DONE } phase;

struct cs_background_reports {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    int fd;
    bool lives;
    /* guarded by lock; in the phase ASKED, `copy` and `out` belong to the
     * thread */
    phase phase;
    bool quit; /* true if the thread must end; guarded by lock */
    cs_copy copy;
    cs_flat out;
    unsigned char *memory; /* memory of the table `out` [own] */
    double taken;          /* time when the data were copied */
    uint64_t wanted;       /* value of cs_run_wanted at that time */
    double next;           /* earliest time at which data are copied again */

    report *row;        /* [arms][kinds] reports of the open run [own] */
    size_t arms, kinds; /* kinds: number of probes, plus one for the report of
                         * the draws */
};

/* ---- thread ------------------------------------------------------------ */

static void *serve(void *self)
{
    const uint64_t one = 1;
    cs_background_reports *a = self;
    setpriority(PRIO_PROCESS, 0, WEAK); /* lowers the priority of this thread
                                         * only */
    pthread_mutex_lock(&a->lock);
    for (;;) {
        while (a->phase != ASKED && !a->quit)
            pthread_cond_wait(&a->news, &a->lock);
        if (a->quit)
            break;
        pthread_mutex_unlock(&a->lock);
        cs_copy_report(&a->copy, &a->out);
        pthread_mutex_lock(&a->lock);
        a->phase = DONE;
        pthread_cond_broadcast(&a->news);
        if (write(a->fd, &one, sizeof one) < 0)
            continue; /* the counter of the eventfd is full, so the session has
                       * been woken already */
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Starts the thread with all signals blocked, so that the session's thread
 * handles them. */
static bool begin(cs_background_reports *a)
{
    sigset_t all, old;
    size_t capacity = 0;
    if (!a->memory) /* the memory is not zeroed, since reports fill only a few
                     * of its pages */
        CS_EXTEND(a->memory, 0, capacity, REPORT_BYTES);
    if (a->lives || !a->memory)
        return a->lives;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    a->lives = pthread_create(&a->thread, NULL, serve, a) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return a->lives;
}

static phase look(cs_background_reports *a)
{
    pthread_mutex_lock(&a->lock);
    phase now = a->phase;
    pthread_mutex_unlock(&a->lock);
    return now;
}

static void turn(cs_background_reports *a, phase to)
{
    pthread_mutex_lock(&a->lock);
    a->phase = to;
    pthread_cond_broadcast(&a->news);
    pthread_mutex_unlock(&a->lock);
}

cs_background_reports *cs_background_reports_create(void)
{
    cs_background_reports *a = cs_alloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->news, NULL);
    return a;
}

int cs_background_reports_fd(const cs_background_reports *a)
{
    return a ? a->fd : -1;
}

void cs_background_reports_forget(cs_background_reports *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    while (a->phase == ASKED)
        pthread_cond_wait(&a->news, &a->lock);
    a->phase = IDLE;
    pthread_mutex_unlock(&a->lock);
    for (size_t i = 0; a->row && i < a->arms * a->kinds; i++)
        cs_free(a->row[i].bytes);
    cs_free(a->row);
    a->row = NULL;
    a->arms = a->kinds = 0;
    a->next = 0;
}

void cs_background_reports_destroy(cs_background_reports *a)
{
    if (!a)
        return;
    cs_background_reports_forget(a);
    pthread_mutex_lock(&a->lock);
    a->quit = true;
    pthread_cond_broadcast(&a->news);
    pthread_mutex_unlock(&a->lock);
    if (a->lives)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->news);
    pthread_mutex_destroy(&a->lock);
    if (a->fd >= 0)
        close(a->fd);
    cs_copy_fini(&a->copy);
    cs_free(a->memory);
    cs_free(a);
}

/* ---- functions of the session's thread --------------------------------- */

static bool prepare(cs_background_reports *a, const cs_run *r)
{
    if (a->row)
        return true;
    a->arms = cs_run_arms(r);
    for (a->kinds = 0; cs_run_probe(r, a->kinds);)
        a->kinds++;
    a->kinds++;
    a->row = cs_alloc(a->arms * a->kinds, sizeof *a->row);
    return a->row != NULL;
}

static bool is_stale(const report *row, const cs_run *r)
{
    return row->at == 0 || row->step != cs_run_steps(r) ||
           row->wanted != cs_run_wanted(r);
}

/* Returns the name of a report if it is costly, otherwise NULL. */
static const char *name_of(const cs_run *r, size_t kind)
{
    const cs_probe_type *type = cs_run_probe(r, kind);
    if (!type)
        return CS_DRAWS_REPORT;
    return type->costly ? type->name : NULL;
}

/* Replaces the last report of the same arm and probe by the completed
 * report. */
static void keep(cs_background_reports *a)
{
    report *row = &a->row[a->copy.arm * a->kinds + a->copy.probe];
    if (a->out.used > row->capacity) {
        cs_free(row->bytes);
        row->bytes = cs_alloc(a->out.used, 1);
        row->capacity = row->bytes ? a->out.used : 0;
    }
    row->used = row->bytes ? a->out.used : 0;
    if (row->used)
        memcpy(row->bytes, a->out.base, row->used);
    row->step = a->copy.step;
    row->wanted = a->wanted;
    row->at = a->taken;
}

/* Returns the oldest wanted report that does not describe the current step. If
 * there is no such report, returns NULL. */
static report *choose(cs_background_reports *a, const cs_run *r,
                      cs_background_reports_wanted *wanted, const void *self)
{
    report *oldest = NULL;
    for (size_t p = 0; p < a->kinds; p++) {
        const char *name = name_of(r, p);
        if (!name || !wanted(self, name))
            continue;
        for (size_t i = 0; i < a->arms; i++) {
            report *row = &a->row[i * a->kinds + p];
            if (is_stale(row, r) && (!oldest || row->at < oldest->at))
                oldest = row;
        }
    }
    return oldest;
}

static void ask(cs_background_reports *a, cs_run *r, size_t number)
{
    a->taken = cs_clock();
    a->wanted = cs_run_wanted(r);
    if (cs_copy_take(&a->copy, r, number / a->kinds, number % a->kinds, NULL) !=
        CS_OK)
        return;
    a->next = cs_clock() + (cs_clock() - a->taken) / COPYING;
    cs_flat_begin(&a->out, a->memory, REPORT_BYTES);
    turn(a, ASKED);
}

bool cs_background_reports_tend(cs_background_reports *a, cs_run *r,
                                bool running,
                                cs_background_reports_wanted *wanted,
                                const void *self)
{
    if (!a || !prepare(a, r))
        return false;
    phase now = look(a);
    bool done = now == DONE;
    if (done) {
        uint64_t count;
        keep(a);
        turn(a, now = IDLE);
        if (read(a->fd, &count, sizeof count) < 0)
            return true; /* there is nothing to read, since the descriptor was
                            already read */
    }
    const report *next = now == IDLE ? choose(a, r, wanted, self) : NULL;
    double time = cs_clock();
    bool rests = running && next && (time < a->next || time < next->at + REST);
    if (next && !rests && begin(a))
        ask(a, r, (size_t)(next - a->row));
    return done;
}

bool cs_background_reports_is_busy(cs_background_reports *a)
{
    return a && a->row && look(a) != IDLE;
}

bool cs_background_reports_is_current(const cs_background_reports *a,
                                      const cs_run *r,
                                      cs_background_reports_wanted *wanted,
                                      const void *self)
{
    bool past = false;
    for (size_t p = 0; a && !past; p++) {
        const char *name = name_of(r, p);
        past = !cs_run_probe(r, p);
        if (!name || !wanted(self, name))
            continue;
        for (size_t i = 0; i < cs_run_arms(r); i++)
            if (!a->row || is_stale(&a->row[i * a->kinds + p], r))
                return false;
    }
    return true;
}

const unsigned char *cs_background_reports_last(const cs_background_reports *a,
                                                size_t arm, size_t probe,
                                                size_t *used, uint64_t *step)
{
    const report *row = a && a->row ? &a->row[arm * a->kinds + probe] : NULL;
    if (!row || row->at == 0)
        return NULL;
    *used = row->used;
    *step = row->step;
    return row->bytes;
}

void cs_background_reports_put(const cs_background_reports *a, const cs_run *r,
                               size_t arm, size_t probe, cs_flat *f)
{
    assert(arm < cs_run_arms(r));
    if (!a || !a->row)
        return;
    assert(probe < a->kinds);
    const report *row = &a->row[arm * a->kinds + probe];
    if (row->at == 0)
        return;
    cs_flat_add(f, row->bytes, row->used);
    cs_flat_number(f, is_stale(row, r) ? cs_clock() - row->at : 0,
                   "arm/%zu/%s/age", arm, name_of(r, probe));
}
