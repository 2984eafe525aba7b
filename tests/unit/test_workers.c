/* The workers of a run do each job once, and none after cs_pool_run has returned. */
#include "support/support.h"

#include "base/status.h"
#include "run/workers.h"

#include <stdatomic.h>
#include <string.h>

enum { JOBS = 20000, ROUNDS = 50 };

static atomic_uchar times[JOBS]; /* how often each job was done */

static void do_job(void *self, size_t i)
{
    size_t *sum = self;
    atomic_fetch_add(&times[i], 1);
    sum[i] += i; /* no other job writes it: TSan sees if one does */
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

/* A round of fewer jobs than workers ends, again and again. */
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_each_job_is_done_once),
    cmocka_unit_test(test_few_jobs),
};
TESTS(test_workers)
