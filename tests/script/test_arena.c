/* Tests the heap for small objects: allocations do not overlap, and keep their
 * contents. */
#include "base/memory.h"
#include "script/state/arena.h"
#include "support/support.h"

#include <string.h>

enum { BLOCKS = 300, ROUNDS = 20000 };

typedef struct held {
    unsigned char *block;
    size_t bytes;
    unsigned char fill;
} held;

static void check(const held *h)
{
    for (size_t i = 0; i < h->bytes; i++)
        assert_int_equal(h->block[i], h->fill);
}

/* Lets blocks grow, shrink and be freed in random order. Each block is filled
 * with its own byte value. */
static void churn(cs_arena *s)
{
    static held h[BLOCKS];
    unsigned r = 1;
    memset(h, 0, sizeof h);
    for (unsigned k = 0; k < ROUNDS; k++) {
        r = r * 1664525u + 1013904223u;
        held *one = &h[(r >> 8) % BLOCKS];
        size_t want = (r >> 20) % 5 ? (r >> 12) % 200 : 0;
        size_t common = want < one->bytes ? want : one->bytes;
        check(one);
        one->block = cs_arena_reallocate(s, one->block, one->bytes, want);
        assert_true(!want == !one->block);
        one->bytes = common;
        check(one); /* bytes that are in both the old and the new block */
        one->bytes = want;
        one->fill = (unsigned char)k;
        if (want)
            memset(one->block, one->fill, want);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        check(&h[i]);
        cs_arena_reallocate(s, h[i].block, h[i].bytes, 0);
    }
    cs_arena_fini(s);
}

static void blocks_are_apart(void **state)
{
    (void)state;
    cs_arena s = {0};
    churn(&s);
}

/* Freed blocks are reused. The memory of the heap never exceeds the largest
 * amount that was in use at one time. */
static void blocks_come_back(void **state)
{
    (void)state;
    cs_arena s = {0};
    for (size_t k = 0; k < 1000; k++) {
        void *a = cs_arena_reallocate(&s, NULL, 0, 40);
        void *b = cs_arena_reallocate(&s, NULL, 0, 48);
        cs_arena_reallocate(&s, a, 40, 0);
        cs_arena_reallocate(&s, b, 48, 0);
    }
    assert_int_equal(s.used, 96);
    cs_arena_fini(&s);
}

/* While allocations are counted, one common check can refuse any of them. If an
 * allocation is refused, the block is unchanged. Shrinking a block never
 * fails. */
static void a_refusal_leaves_the_block(void **state)
{
    (void)state;
    cs_arena s = {0};
    unsigned char *a = cs_arena_reallocate(&s, NULL, 0, 100);
    memset(a, 7, 100);
    cs_memory_fail_at(1, true);
    assert_null(cs_arena_reallocate(&s, a, 100, 1000));
    assert_null(cs_arena_reallocate(&s, NULL, 0, 16));
    assert_true(cs_memory_requests() >= 2);
    cs_memory_fail_at(0, false);
    check(&(held){a, 100, 7});
    a = cs_arena_reallocate(&s, a, 100, 1000);
    assert_non_null(a);
    check(&(held){a, 100, 7});
    cs_arena_reallocate(&s, a, 1000, 0);
    churn(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_apart),
    cmocka_unit_test(blocks_come_back),
    cmocka_unit_test(a_refusal_leaves_the_block),
};
TESTS(test_arena)
