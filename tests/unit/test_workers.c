/* Tests that the workers of a run do each job exactly once, and do no job after
 * cs_pool_run has returned. Workers block signals. */
#include "support/support.h"

#include "base/status.h"
#include "run/arms/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { JOBS = 20000, ROUNDS = 50 };

static atomic_uchar times[JOBS]; /* how often each job was done */

static void do_job(void *self, size_t i)
{
    size_t *sum = self;
    atomic_fetch_add(&times[i], 1);
    /* ThreadSanitizer reports an error if two threads write to sum[i]. */
    sum[i] += i;
}

static void each_job_is_done_once(size_t workers)
{
    static size_t sum[JOBS];
    cs_pool *pool;
    assert_int_equal(cs_pool_create(&pool, workers, NULL), CS_OK);
    memset(sum, 0, sizeof sum);
    for (size_t k = 1; k <= ROUNDS; k++) {
        memset(times, 0, sizeof times);
        cs_pool_run(pool, do_job, sum, JOBS);
        for (size_t i = 0; i < JOBS; i++) {
            assert_int_equal(times[i], 1);
            assert_int_equal(sum[i], k * i);
        }
    }
    cs_pool_destroy(pool);
}

static void test_each_job_is_done_once(void **state)
{
    (void)state;
    each_job_is_done_once(1);
    each_job_is_done_once(2);
    each_job_is_done_once(5);
}

/* A round that has fewer jobs than workers ends, even after many such
 * rounds. */
static void test_few_jobs(void **state)
{
    (void)state;
    size_t sum[3] = {0};
    cs_pool *pool;
    assert_int_equal(cs_pool_create(&pool, 5, NULL), CS_OK);
    for (size_t k = 1; k <= 2000; k++) {
        cs_pool_run(pool, do_job, sum, k % 4);
        assert_int_equal(sum[2], 2 * (k / 4 + (k % 4 == 3)));
    }
    cs_pool_destroy(pool);
}

/* For each thread of a pool: true if the thread would handle a signal. */
typedef struct hearing {
    pthread_barrier_t all;
    bool hears[5];
} hearing;

static void do_listen(void *self, size_t i)
{
    static const int handled[] = {SIGTERM, SIGUSR1, SIGALRM, SIGIO, SIGINT};
    hearing *h = self;
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    for (size_t k = 0; k < sizeof handled / sizeof *handled; k++)
        h->hears[i] |= !sigismember(&blocked, handled[k]);
    pthread_barrier_wait(&h->all); /* gives each thread one job */
}

/* Signal handlers set flags that the session's thread reads between two steps.
 * Two handlers must not run at the same time. Hence only the session's thread
 * may receive signals. */
static void test_only_the_owner_hears_signals(void **state)
{
    (void)state;
    size_t hearing_it = 0;
    hearing h = {.hears = {false}};
    cs_pool *pool;
    pthread_barrier_init(&h.all, NULL, 5);
    assert_int_equal(cs_pool_create(&pool, 5, NULL), CS_OK);
    cs_pool_run(pool, do_listen, &h, 5);
    cs_pool_destroy(pool);
    pthread_barrier_destroy(&h.all);
    for (size_t i = 0; i < 5; i++)
        hearing_it += h.hears[i];
    assert_int_equal(hearing_it, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_each_job_is_done_once),
    cmocka_unit_test(test_few_jobs),
    cmocka_unit_test(test_only_the_owner_hears_signals),
};
TESTS(test_workers)
