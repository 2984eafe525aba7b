/* Tests the allocator: blocks are aligned and zeroed, and allocations fail on
 * request. */
#include "support/support.h"

#include "base/memory.h"
#include "base/status.h"

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif
#include <stdint.h>
#include <string.h>

static bool is_zero(const unsigned char *block, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++)
        any |= block[i];
    return any == 0;
}

/* A block that was written and is reused is zeroed. Tries sizes below and above
 * the limit at which the system returns new pages. */
static void blocks_are_zeroed_and_aligned(void **state)
{
    (void)state;
    static const size_t bytes[] = {0, 1, 63, 64, 65, 5000, 200000, 3000000};
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
            unsigned char *block = cs_alloc(bytes[i], 1);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % CS_ALIGN, 0);
            assert_true(is_zero(block, bytes[i]));
            memset(block, 0xa5, bytes[i]);
            cs_free(block);
        }
    assert_null(cs_alloc(SIZE_MAX / 2, 3));
    assert_null(cs_alloc(SIZE_MAX - CS_ALIGN, 1));
    cs_free(NULL);
}

static void what_grows_keeps_its_bytes(void **state)
{
    (void)state;
    unsigned char *block = cs_resize(NULL, 0, 100);
    memset(block, 7, 100);
    block = cs_resize(block, 100, 5000);
    assert_int_equal(block[99], 7);
    assert_true(is_zero(block + 100, 4900));
    block = cs_resize(block, 5000, 10);
    assert_int_equal(block[9], 7);
    cs_free(block);
    char *text = cs_reallocate(NULL, 6);
    strcpy(text, "bytes");
    text = cs_reallocate(text, 100000);
    assert_string_equal(text, "bytes");
    assert_null(cs_reallocate(text, 0));
    assert_null(cs_reallocate(NULL, 0));
}

#if defined __SANITIZE_ADDRESS__
static void assert_fenced(const char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        assert_false(__asan_address_is_poisoned(block + i));
    assert_true(__asan_address_is_poisoned(block + bytes));
}

/* A write to the first byte after a block is detected, even if that byte is
 * padding for alignment. */
static void what_is_behind_a_block_is_fenced(void **state)
{
    (void)state;
    char *grown = NULL;
    size_t capacity = 0;
    for (size_t bytes = 0; bytes < 200; bytes++) {
        char *block = cs_alloc(bytes, 1);
        assert_fenced(block, bytes);
        block = cs_resize(block, bytes, bytes + 7);
        assert_fenced(block, bytes + 7);
        cs_free(block);
    }
    for (size_t n = 0; n < 100000; n += 100) {
        assert_true(CS_EXTEND(grown, n, capacity, 100));
        assert_fenced(grown, capacity);
    }
    cs_free(grown);
}
#endif

/* If an array grows, it keeps its items, even at sizes for which the system
 * itself moves the pages. If growing fails, the old items remain. */
static void what_is_extended_keeps_its_items(void **state)
{
    (void)state;
    uint32_t *a = NULL;
    size_t n = 0, room = 0, limit;
    cs_memory_limit(16 << 20);
    for (; n < 1000000; n++) {
        assert_true(CS_EXTEND(a, n, room, 1));
        assert_int_equal((uintptr_t)a % CS_ALIGN, 0);
        a[n] = (uint32_t)n * 2654435761u;
    }
    size_t held = cs_memory_held(&limit);
    assert_true(held >= room * sizeof *a && held < room * sizeof *a + 1000);
    cs_memory_fail_at(1, false);
    assert_false(CS_EXTEND(a, n, room, room));
    cs_memory_fail_at(0, false);
    assert_false(CS_EXTEND(a, n, room, 4 * room)); /* beyond the limit */
    assert_int_equal(cs_memory_held(&limit), held);
    for (size_t i = 0; i < n; i++)
        if (a[i] != (uint32_t)i * 2654435761u)
            fail_msg("item %zu changed", i);
    cs_free(a);
    assert_int_equal(cs_memory_held(&limit), 0);
    cs_memory_limit(0);
}

static void requests_are_refused_as_told(void **state)
{
    (void)state;
    char *kept = cs_reallocate(NULL, 8);
    cs_memory_fail_at(2, false);
    void *first = cs_alloc(1, 1);
    assert_non_null(first);
    assert_null(cs_reallocate(kept, 16));
    assert_int_equal(cs_memory_requests(), 2);
    kept = cs_reallocate(kept, 16);
    assert_non_null(kept);
    cs_memory_fail_at(1, true);
    assert_null(cs_alloc(1, 1));
    assert_null(cs_resize(first, 1, 2));
    assert_null(cs_reallocate(NULL, 1));
    cs_memory_fail_at(0, false);
    cs_reallocate(kept, 0);
    cs_free(first);
}

/* Allocated memory is counted and limited. After the limit caused an allocation
 * to fail, each error for lack of memory names the limit, until
 * cs_memory_refused(true) forgets this failure. Other errors do not name the
 * limit. */
static void what_is_held_has_a_limit(void **state)
{
    (void)state;
    size_t limit;
    cs_error err = {0};
    void *before = cs_alloc(1, 1 << 20);
    cs_memory_limit(1 << 20);
    cs_free(before);
    assert_int_equal(cs_memory_held(&limit), 0);
    assert_int_equal(limit, 1 << 20);
    char *a = cs_alloc(1, 700000);
    assert_non_null(a);
    assert_true(cs_memory_held(&limit) >= 700000);
    assert_true(cs_memory_max() < 350000);
    cs_fail(&err, CS_MEMORY, "no");
    assert_string_equal(err.hint, "");
    assert_null(cs_alloc(1, 700000));
    assert_null(cs_resize(a, 700000, 1 << 20));
    assert_null(cs_alloc(1, SIZE_MAX / 2));
    cs_fail(&err, CS_INPUT, "no");
    assert_string_equal(err.hint, "");
    cs_fail(&err, CS_MEMORY, "no");
    assert_non_null(strstr(err.hint, "1 MiB"));
    assert_non_null(strstr(err.hint, "--memory"));
    assert_true(cs_memory_refused(true));
    assert_false(cs_memory_refused(false));
    a = cs_resize(a, 700000, 100);
    assert_non_null(a);
    assert_true(cs_memory_held(&limit) < 1000);
    cs_free(a);
    assert_int_equal(cs_memory_held(&limit), 0);
    cs_memory_limit(0);
    a = cs_alloc(1, 3 << 20);
    assert_non_null(a);
    cs_free(a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_are_zeroed_and_aligned),
    cmocka_unit_test(what_grows_keeps_its_bytes),
#if defined __SANITIZE_ADDRESS__
    cmocka_unit_test(what_is_behind_a_block_is_fenced),
#endif
    cmocka_unit_test(what_is_extended_keeps_its_items),
    cmocka_unit_test(requests_are_refused_as_told),
    cmocka_unit_test(what_is_held_has_a_limit),
};
TESTS(test_memory)
