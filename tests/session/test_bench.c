/* What the bench counts as missed, without measuring anything. */
#include "support/support.h"

#include "bench/row.h"
#include "simd/simd.h"

#include <string.h>

static size_t missed_by(double ratio, double must, cs_bench_ask ask,
                        const char *id)
{
    cs_bench_count count = {0};
    const cs_bench_plan plan = {.format = CS_BENCH_CSV, .count = &count};
    cs_bench_row row = cs_bench_row_of(id, "made up", "ns");
    row.ours = ratio;
    row.ratio = ratio;
    row.ask = ask;
    row.must = must;
    cs_bench_print(&row, &plan);
    return count.missed;
}

static void a_ratio_below_its_bar_is_missed(void **state)
{
    (void)state;
    bool bars = strcmp(cs_simd_name(cs_simd_level()), "base") != 0;
    assert_int_equal(missed_by(1.9, 2, CS_ASK_RATIO, "B02a"), bars);
    assert_int_equal(missed_by(2.1, 2, CS_ASK_RATIO, "B02a"), 0);
    /* an absolute figure has no peer: it judges the machine */
    assert_int_equal(missed_by(9, 2, CS_ASK_MOST, "B02a"), 0);
    assert_int_equal(missed_by((double)NAN, 2, CS_ASK_RATIO, "B02a"), 0);
}

static void a_bar_is_that_of_the_instruction_set(void **state)
{
    (void)state;
    const char *set = cs_simd_name(cs_simd_level());
    assert_int_equal(missed_by(2, 2.2, CS_ASK_RATIO, "B01a"),
                     strcmp(set, "avx512") == 0);
    assert_int_equal(missed_by(1.2, 1.5, CS_ASK_RATIO, "W1a"),
                     strcmp(set, "avx512") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ratio_below_its_bar_is_missed),
        cmocka_unit_test(a_bar_is_that_of_the_instruction_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
