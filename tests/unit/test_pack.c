/* Tests packed numbers. They are restored bit for bit, similar numbers need few
 * bytes, and truncated or invalid bytes are rejected. */
#include "support/support.h"

#include "base/memory.h"
#include "base/pack.h"

#include <math.h>
#include <string.h>

enum { N = 2600 };

/* Returns number k of a series with `different` distinct values, which include
 * NaN, -0 and denormals. */
static double number(size_t k, size_t different)
{
    static const double odd[] = {-0.0, 0.0, (double)NAN, 4e-320, -HUGE_VAL};
    size_t which = k * 7919 % different;
    return which < 5 ? odd[which] : sqrt((double)which);
}

static size_t packed(size_t n, size_t different)
{
    double from[N], to[N];
    cs_pack p = {0};
    for (size_t k = 0; k < n; k++)
        from[k] = number(k, different);
    cs_pack_add(&p, from, n);
    cs_pack_add(&p, from, 1);
    cs_pack_trim(&p);
    assert_false(p.failed);
    const uint8_t *at = p.byte, *end = p.byte + p.n;
    assert_true(cs_pack_take(&at, end, to, n));
    assert_memory_equal(from, to, n * sizeof *from);
    assert_true(cs_pack_take(&at, end, to, 1) && at == end);
    assert_memory_equal(from, to, sizeof *from);
    for (size_t cut = 1; cut < p.n; cut += 1 + p.n / 50) {
        at = p.byte;
        bool first = cs_pack_take(&at, end - cut, to, n);
        assert_false(first && cs_pack_take(&at, end - cut, to, 1));
    }
    size_t bytes = p.n;
    cs_pack_free(&p);
    return bytes;
}

static void what_is_packed_comes_back(void **state)
{
    (void)state;
    for (size_t different = 1; different < 40; different++)
        for (size_t n = 1; n <= N; n += 371)
            packed(n, different);
    assert_true(packed(1024, 1) < 30);
    assert_true(packed(1024, 2) < 1024 / 8 + 40);
    assert_true(packed(1024, 16) < 1024 / 2 + 150);
    assert_true(packed(1024, 17) < 8 * 1024 + 20);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    double to[8];
    const uint8_t none[] = {0}, many[] = {17}, beyond[26] = {3, [25] = 3};
    const uint8_t *at = none;
    assert_false(cs_pack_take(&at, none + 1, to, 1));
    at = many;
    assert_false(cs_pack_take(&at, many + 1, to, 1));
    at = beyond; /* these bytes define three values, and refer to a fourth */
    assert_false(cs_pack_take(&at, beyond + 26, to, 1));
}

static void no_memory_is_told(void **state)
{
    (void)state;
    cs_pack p = {0};
    double x = 1;
    cs_memory_fail_at(1, false);
    cs_pack_add(&p, &x, 1);
    cs_memory_fail_at(0, false);
    assert_true(p.failed);
    cs_pack_free(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_packed_comes_back),
    cmocka_unit_test(what_is_wrong_is_refused),
    cmocka_unit_test(no_memory_is_told),
};
TESTS(test_pack)
