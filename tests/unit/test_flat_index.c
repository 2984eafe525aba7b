/* Tests tables of named numbers and strings, and the index of a large table. */
#include "support/support.h"

#include "base/flat_index.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 4 << 20, MANY = 20000 };

static unsigned char *room;
static cs_flat_index x;

static int setup(void **state)
{
    (void)state;
    room = cs_alloc(BYTES, 1);
    return room ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    cs_flat_index_free(&x);
    cs_free(room);
    return 0;
}

/* ---- keys ---- */

static void check_key(const char *format, ...)
{
    char got[CS_FLAT_KEY], want[CS_FLAT_KEY];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    cs_flat_key(got, format, args);
    vsnprintf(want, sizeof want, format, again);
    va_end(args);
    va_end(again);
    assert_string_equal(got, want);
}

static void test_keys(void **state)
{
    (void)state;
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    check_key("run/state");
    check_key("arm/%zu/param/%zu/name", (size_t)0, (size_t)1234567);
    check_key("%d/%s/%d", -12, "", 2147483647);
    check_key("%s%zu", longer, (size_t)3);
    check_key("%u%% of %5.2f", 7u, 1.5);
    check_key("%zu", SIZE_MAX);
}

/* Tries every length of a key; longer keys are truncated. */
static void test_lengths(void **state)
{
    (void)state;
    cs_flat f;
    cs_flat_entry e;
    char key[100] = "";
    cs_flat_begin(&f, room, BYTES);
    for (size_t n = 0; n < CS_FLAT_KEY + 8; n++) {
        cs_flat_number(&f, (double)n, "%s", key);
        key[n] = (char)('a' + n % 26);
    }
    memset(key, 0, sizeof key);
    for (size_t n = 0; n < CS_FLAT_KEY + 8; n++) {
        size_t first = n < CS_FLAT_KEY ? n : CS_FLAT_KEY - 1;
        assert_true(cs_flat_find(f.base, f.used, &e, "%s", key));
        assert_true(e.data[0] == (double)first);
        assert_int_equal(strlen(e.key), first);
        key[n] = (char)('a' + n % 26);
    }
}

/* ---- the index ---- */

static void fill(cs_flat *f, size_t n)
{
    cs_flat_begin(f, room, BYTES);
    for (size_t i = 0; i < n; i++)
        if (i % 3 == 1)
            cs_flat_text(f, i % 2 ? "odd" : "even", "arm/%zu/name", i);
        else
            cs_flat_number(f, (double)i, "arm/%zu/steps", i);
    assert_false(f->full);
}

static void check_all(size_t n)
{
    cs_flat_entry e;
    for (size_t i = 0; i < n; i++)
        if (i % 3 == 1) {
            assert_true(cs_flat_index_find(&x, &e, "arm/%zu/name", i));
            assert_string_equal(e.text, i % 2 ? "odd" : "even");
        } else {
            assert_true(cs_flat_index_find(&x, &e, "arm/%zu/steps", i));
            assert_true(e.data && e.data[0] == (double)i);
        }
    assert_false(cs_flat_index_find(&x, &e, "arm/%zu/steps", n));
    assert_false(cs_flat_index_find_key(&x, &e, ""));
}

/* Tries the index on tables of several sizes. The index of a small table uses
 * the slots inside the index, and the index of a large table uses slots on the
 * heap. */
static void test_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {5, MANY, 0, 1, CS_INDEX_SLOTS, 300, MANY};
    cs_flat f;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        fill(&f, sizes[k]);
        cs_flat_index_make(&x, f.base, f.used);
        assert_true(x.slots >= 2 * sizes[k]); /* no long chains of slots */
        check_all(sizes[k]);
    }
    cs_flat_entry e;
    cs_flat_index_make(&x, NULL, 0);
    assert_false(cs_flat_index_find(&x, &e, "arm/0/steps"));
    assert_false(cs_flat_index_find(&(cs_flat_index){0}, &e, "arm/0/steps"));
}

static void test_first_of_equals(void **state)
{
    (void)state;
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, room, BYTES);
    for (int i = 0; i < 9; i++)
        cs_flat_number(&f, i, "key/%d", i % 2);
    cs_flat_index_make(&x, f.base, f.used);
    assert_true(cs_flat_index_find(&x, &e, "key/%d", 0) && e.data[0] == 0);
    assert_true(cs_flat_index_find(&x, &e, "key/%d", 1) && e.data[0] == 1);
}

/* If there is no memory for slots, each look-up scans the table. */
static void test_no_memory(void **state)
{
    (void)state;
    cs_flat f;
    fill(&f, MANY);
    cs_flat_index_free(&x);
    cs_memory_fail_at(1, true);
    cs_flat_index_make(&x, f.base, f.used);
    cs_memory_fail_at(0, false);
    assert_int_equal(x.slots, 0);
    cs_flat_entry e;
    assert_true(cs_flat_index_find(&x, &e, "arm/%d/steps", 1998) &&
                e.data[0] == 1998);
}

/* The bytes may change after indexing. Even then a look-up reads nothing
 * outside of the bytes, and it ends. */
static void test_changed_bytes(void **state)
{
    (void)state;
    cs_flat f;
    fill(&f, 300);
    unsigned char *copy = cs_alloc(f.used, 1); /* reads beyond the end are
                                                * detected */
    assert_non_null(copy);
    memcpy(copy, f.base, f.used);
    cs_flat_index_make(&x, copy, f.used);
    uint32_t h = 1;
    for (size_t round = 0; round < 200; round++) {
        for (int k = 0; k < 40; k++) {
            h = h * 1664525u + 1013904223u;
            copy[(h >> 8) % f.used] = (unsigned char)(h >> 24);
        }
        for (size_t i = 0; i < 300; i++) {
            cs_flat_entry e;
            if (cs_flat_index_find(&x, &e, "arm/%zu/steps", i))
                assert_true(!e.data ||
                            (const unsigned char *)(e.data + e.rows * e.cols) <=
                                copy + f.used);
            size_t at = 0;
            while (i == 0 && cs_flat_next(copy, f.used, &at, &e))
                assert_true(at <= f.used);
        }
    }
    cs_flat_index_make(&x, NULL, 0);
    cs_free(copy);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_keys, setup, teardown),
    cmocka_unit_test_setup_teardown(test_lengths, setup, teardown),
    cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
    cmocka_unit_test_setup_teardown(test_first_of_equals, setup, teardown),
    cmocka_unit_test_setup_teardown(test_no_memory, setup, teardown),
    cmocka_unit_test_setup_teardown(test_changed_bytes, setup, teardown),
};
TESTS(test_flat_index)
