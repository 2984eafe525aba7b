/* Tests snapshots, which the session publishes and the screen reads. The test
 * uses two threads instead of two processes, so that TSan observes both sides.
 * Each snapshot is read completely. A snapshot is never older than the snapshot
 * that was read before it. The reader receives the snapshot that was published
 * last. */
#include "support/support.h"

#include "session/client/snapshot.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { PUBLISHED = 20000, NUMBERS = 40 };

/* Snapshot k contains the number k, repeated k times. */
static void *publish(void *shared)
{
    cs_snapshot_end w = cs_snapshot_writer(shared);
    for (uint32_t k = 1; k <= PUBLISHED; k++) {
        uint32_t number[NUMBERS];
        cs_flat table;
        cs_snapshot_begin(&w, &table);
        for (size_t i = 0; i < NUMBERS; i++)
            number[i] = k;
        table.used = sizeof *number * (1 + k % NUMBERS);
        memcpy(table.base, number, table.used);
        cs_snapshot_publish(&w, &table);
    }
    return NULL;
}

static uint32_t check(const unsigned char *base, size_t used)
{
    uint32_t number[NUMBERS];
    assert_in_range(used, sizeof *number, sizeof number);
    memcpy(number, base, used);
    assert_int_equal(used / sizeof *number, 1 + number[0] % NUMBERS);
    for (size_t i = 0; i < used / sizeof *number; i++)
        assert_int_equal(number[i], number[0]);
    return number[0];
}

static void test_snapshots_are_taken_whole(void **state)
{
    (void)state;
    pthread_t writer;
    cs_snapshots *shared = cs_snapshots_map();
    assert_non_null(shared);
    cs_snapshot_end r = cs_snapshot_reader(shared);
    assert_int_equal(pthread_create(&writer, NULL, publish, shared), 0);
    for (uint32_t last = 0, now; last < PUBLISHED; last = now) {
        const unsigned char *base;
        size_t used;
        now = last;
        if (!cs_snapshot_take(&r, &base, &used))
            continue;
        now = check(base, used);
        assert_true(now > last);
    }
    pthread_join(writer, NULL);
    cs_snapshots_unmap(shared);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_snapshots_are_taken_whole),
};
TESTS(test_snapshot)
