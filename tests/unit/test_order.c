/* Tests the order of many numbers (stat/order.c) and arrays in nameless files
 * (files/spill.c). */
#include "support/support.h"

#include "base/memory.h"
#include "files/spill.h"
#include "stat/moments.h"
#include "stat/sort.h"

#include <linux/magic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

enum { N = 20000 };

static uint64_t bits = 88172645463325252u;
static double uniform(void)
{
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    return (double)(bits >> 11) * 0x1p-53;
}

/* Distributions for which many values are rounded to the same 32 bits, or that
 * have ties, extreme values or both zeros. */
static double value(int kind, size_t i)
{
    double u = uniform();
    switch (kind) {
    case 0:
        return u;
    case 1:
        return 1e15 + 1e-3 * floor(1e3 * u);
    case 2:
        return tan(3.14159 * (u - 0.5));
    case 3:
        return floor(5 * u) * (u < 0.5 ? -1 : 1);
    case 4:
        return i % 100 ? 1 + 1e-12 * u : 1e300 * (u - 0.5);
    case 5:
        return 4e-310 * (u - 0.5);
    case 6:
        return i % 2 ? -0.0 : 0.0;
    default:
        return i % 3 ? 1.7e308 * (u - 0.5) * 2 : u;
    }
}

static void orders_are_sorted_and_stable(void **state)
{
    static double x[N];
    static double scratch[2 * N];
    static bool seen[N];
    (void)state;
    for (int kind = 0; kind < 8; kind++)
        for (size_t n = 1; n <= N; n = n < 200 ? n + 67 : 100 * n) {
            n = n > N ? N : n;
            for (size_t i = 0; i < n; i++)
                x[i] = value(kind, i);
            cs_sort_order o = {cs_alloc(n, sizeof(double)),
                               cs_alloc(n, sizeof(uint32_t)), n};
            assert_true(cs_sort_order_of(x, &o, scratch));
            memset(seen, 0, sizeof seen);
            for (size_t i = 0; i < n; i++) {
                assert_true(o.at[i] < n && !seen[o.at[i]]);
                seen[o.at[i]] = true;
                assert_true(o.value[i] == x[o.at[i]]);
                if (i &&
                    (o.value[i] < o.value[i - 1] ||
                     (o.value[i] == o.value[i - 1] && o.at[i] < o.at[i - 1])))
                    fail_msg("kind %d: %zu of %zu is out of order", kind, i, n);
            }
            CS_FREE_ALL(o.value, o.at);
            if (n == N)
                break;
        }
}

/* An array in a file has the same contents after its pages were released. */
static void spilled_arrays_keep_their_contents(void **state)
{
    enum { WORDS = 1 << 18 };
    cs_spill s;
    (void)state;
    {
        assert_true(cs_spill_begin(&s, WORDS * sizeof(double), 1, 0));
        assert_true(s.in_file);
        double *x = s.at;
        for (size_t i = 0; i < WORDS; i++) {
            if (i % 50000 == 0) /* a prepared part begins inside a page */
                cs_spill_prepare(&s, x + i,
                                 (WORDS - i < 50000 ? WORDS - i : 50000) *
                                     sizeof *x);
            assert_true(x[i] == 0);
            x[i] = (double)i;
        }
        cs_spill_release(&s, x + 1000, 100000 * sizeof *x);
        cs_spill_release(&s, x, WORDS * sizeof *x);
        for (size_t i = 0; i < WORDS; i++)
            assert_true(x[i] == (double)i);
        cs_spill_end(&s);
    }
    assert_true(cs_spill_begin(&s, 4096, 1 << 20, 4096) && !s.in_file);
    cs_spill_prepare(&s, s.at, 4096);
    cs_spill_release(&s, s.at, 4096);
    cs_spill_end(&s);
    assert_true(cs_spill_most(1e6) <= 1e6);
    setenv("TMPDIR", "/no/such/folder", 1); /* ordinary memory instead */
    assert_true(cs_spill_begin(&s, 1 << 20, 1, 1 << 20) && !s.in_file);
    cs_spill_end(&s);
    /* more than the limit of ordinary memory */
    assert_true(!cs_spill_begin(&s, 1 << 20, 1, (1 << 20) - 1) && !s.at);
    unsetenv("TMPDIR");
}

/* Files on a tmpfs are memory: none is made there. */
static void files_in_memory_are_not_made(void **state)
{
    struct statfs f;
    cs_spill s;
    (void)state;
    if (statfs("/dev/shm", &f) != 0 || f.f_type != TMPFS_MAGIC)
        skip();
    setenv("TMPDIR", "/dev/shm", 1);
    assert_true(cs_spill_most(1e6) == 0);
    assert_true(cs_spill_begin(&s, 1 << 20, 1, 1 << 20) && !s.in_file);
    cs_spill_end(&s);
    unsetenv("TMPDIR");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(orders_are_sorted_and_stable),
    cmocka_unit_test(spilled_arrays_keep_their_contents),
    cmocka_unit_test(files_in_memory_are_not_made),
};
TESTS(test_order)
