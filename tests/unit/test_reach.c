/* Tests the detection of chains whose log p is far below the log p of the other
 * chains, with values just above and just below the threshold. */
#include "run/tuning/chain_reach.h"

#include "support/support.h"

#include <string.h>

static double least(const double *logp, size_t n, size_t dim)
{
    double copy[16];
    memcpy(copy, logp, n * sizeof *copy);
    return cs_reach_of(copy, n, dim).least;
}

/* The median of an even number of values is the larger of the two middle
 * values. This rule also applies to the median of the distances. */
static void it_is_the_formula(void **state)
{
    (void)state;
    assert_near(least((double[]){-1, -2, -3}, 3, 1), -2 - 10 - 1 - 6, 0, 1e-12);
    assert_near(least((double[]){-5, -1, -2, -3}, 4, 3), -2 - 10 - 3 - 6, 0,
                1e-12);
    assert_near(least((double[]){7, 7, 7, 7, 7}, 5, 10), 7 - 10 - 10, 0, 1e-12);
}

static void one_bad_of_eight_moves_nothing(void **state)
{
    double logp[8] = {-3, -4, -5, -4, -3, -6, -4, -5};
    (void)state;
    double without = least(logp, 7, 5);
    static const double bad[] = {-100, -1e37, -HUGE_VAL, NAN};
    for (size_t i = 0; i < 4; i++) {
        logp[7] = bad[i];
        assert_near(least(logp, 8, 5), without, 0, 7);
        assert_true(!(bad[i] >= least(logp, 8, 5)));
    }
}

/* If two groups with the same number of chains are far apart, both groups are
 * accepted. */
static void two_camps_are_let_be(void **state)
{
    const double logp[8] = {0, -500, 1, -501, -1, -499, 0, -500};
    (void)state;
    assert_true(least(logp, 8, 2) < -501);
}

static void few_or_endless_chains_are_let_be(void **state)
{
    (void)state;
    assert_true(least((double[]){0, -1e9}, 2, 1) == -HUGE_VAL);
    assert_true(least((double[]){0}, 0, 1) == -HUGE_VAL);
    assert_true(least((double[]){NAN, NAN, 0}, 3, 1) == -HUGE_VAL);
    assert_true(least((double[]){HUGE_VAL, HUGE_VAL, 0}, 3, 1) == -HUGE_VAL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(it_is_the_formula),
    cmocka_unit_test(one_bad_of_eight_moves_nothing),
    cmocka_unit_test(two_camps_are_let_be),
    cmocka_unit_test(few_or_endless_chains_are_let_be),
};
TESTS(test_reach)
