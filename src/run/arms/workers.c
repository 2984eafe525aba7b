/* A pool of threads that wait for jobs. A run with one worker has no threads:
 * the caller processes all jobs. */
#include "run/arms/workers.h"
#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct cs_pool {
    pthread_mutex_t lock;
    pthread_cond_t go, done;
    pthread_t *thread;
    size_t threads;
    /* `lock` protects this member and all members below it except `next` */
    unsigned long round;
    size_t busy;
    bool quit;
    void (*job)(void *self, size_t i);
    void *self;
    size_t n;
    atomic_size_t next;
};

static void work(cs_pool *p)
{
    size_t i;
    while ((i = atomic_fetch_add(&p->next, 1)) < p->n)
        p->job(p->self, i);
}

static void *serve(void *self)
{
    cs_pool *p = self;
    unsigned long seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->round == seen && !p->quit)
            pthread_cond_wait(&p->go, &p->lock);
        if (p->quit)
            break;
        seen = p->round;
        pthread_mutex_unlock(&p->lock);
        work(p);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Starts the threads. The threads block all signals, so the owner's threads
 * handle the signals. */
static cs_status start_threads(cs_pool *p, size_t n, cs_error *err)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = 0;
    while (p->threads < n && !failed) {
        failed = pthread_create(&p->thread[p->threads], NULL, serve, p);
        p->threads += failed ? 0 : 1;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!failed)
        return CS_OK;
    cs_fail(err, CS_MEMORY, "the system could not start worker %zu",
            p->threads + 2);
    cs_hint(err, "use fewer workers");
    return CS_MEMORY;
}

cs_status cs_pool_create(cs_pool **out, size_t workers, cs_error *err)
{
    *out = NULL;
    cs_pool *p = cs_alloc(1, sizeof *p);
    pthread_t *thread = cs_alloc(workers, sizeof *thread);
    if (!p || !thread) {
        cs_free(p);
        cs_free(thread);
        return cs_fail(err, CS_MEMORY, "out of memory for the workers");
    }
    p->thread = thread;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->go, NULL);
    pthread_cond_init(&p->done, NULL);
    cs_status s = start_threads(p, workers - 1, err);
    if (s != CS_OK)
        cs_pool_destroy(p);
    else
        *out = p;
    return s;
}

void cs_pool_destroy(cs_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->go);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->go);
    pthread_mutex_destroy(&p->lock);
    cs_free(p->thread);
    cs_free(p);
}

void cs_pool_run(cs_pool *p, void (*job)(void *self, size_t i), void *self,
                 size_t n)
{
    if (p->threads == 0 || n < 2) {
        for (size_t i = 0; i < n; i++)
            job(self, i);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->job = job;
    p->self = self;
    p->n = n;
    atomic_store(&p->next, 0);
    p->busy = p->threads;
    p->round++;
    pthread_cond_broadcast(&p->go);
    pthread_mutex_unlock(&p->lock);
    work(p);
    pthread_mutex_lock(&p->lock);
    while (p->busy)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void cs_share_jobs(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                   size_t n)
{
    if (pool)
        cs_pool_run(pool, job, self, n);
    for (size_t i = 0; !pool && i < n; i++)
        job(self, i);
}
