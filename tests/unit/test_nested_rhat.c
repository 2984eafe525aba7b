/* Tests nested R-hat with a case by hand, and with its law. */
#include "support/support.h"

#include "stat/nested_rhat.h"

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdlib.h>

/* Returns nested R-hat; chain c belongs to superchain c / (chains / k). */
static double nested(cs_draws d, size_t k, const char **why)
{
    size_t of[512];
    for (size_t c = 0; c < d.chains; c++)
        of[c] = c / (d.chains / k);
    return cs_nested_rhat(d, of, why);
}

/* Superchains {0 2, 4 6} {5 7, 9 11}: the chain means are 1, 5, 6, 10; those of
 * the superchains are 3 and 8, so B = 25 / 2. Each B_k is 8 and each W_k is 2. */
static void a_case_by_hand(void **state)
{
    const double x[] = {0, 2, 4, 6, 5, 7, 9, 11};
    const char *why;
    (void)state;
    assert_near(nested((cs_draws){x, 2, 4}, 2, &why), sqrt(1 + 12.5 / 10),
                1e-15, 0);
    assert_null(why);
    /* one draw per chain: W_k is 0. Superchains {0 2 4 6} {5 7 9 11}: B = 12.5,
     * B_k = 20 / 3 */
    assert_near(nested((cs_draws){x, 1, 8}, 2, &why),
                sqrt(1 + 12.5 / (20.0 / 3)), 1e-15, 0);
    /* one chain per superchain: B_k is 0. Means 1, 5, 6, 10; B = 41 / 3 */
    assert_near(nested((cs_draws){x, 2, 4}, 4, &why), sqrt(1 + 41.0 / 3 / 2),
                1e-15, 0);
    /* superchains {0 2} and {4 6, 9 11}: the means are 1 and 7.5, B = 21.125;
     * B_2 = 12.5 */
    assert_near(
        cs_nested_rhat((cs_draws){(const double[]){0, 2, 4, 6, 9, 11}, 2, 3},
                       (const size_t[]){5, 2, 2}, &why),
        sqrt(1 + 21.125 / ((2 + 14.5) / 2)), 1e-15, 0);
}

/* 512 chains of one draw in 16 superchains. If the draws are independent, B / W
 * is an F variable with 15 and 496 degrees of freedom, divided by 32. */
static void the_law(void **state)
{
    enum { CHAINS = 512, SUPER = 16, EACH = CHAINS / SUPER };
    static double x[CHAINS];
    uint64_t at = 7;
    (void)state;
    for (size_t c = 0; c < CHAINS; c++) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        x[c] = gsl_cdf_ugaussian_Pinv(((double)(at >> 11) + 0.5) /
                                      9007199254740992.0);
    }
    const char *why;
    double r = nested((cs_draws){x, 1, CHAINS}, SUPER, &why);
    double f = (r * r - 1) * EACH;
    assert_true(f > gsl_cdf_fdist_Pinv(0.001, SUPER - 1, CHAINS - SUPER));
    assert_true(f < gsl_cdf_fdist_Qinv(0.001, SUPER - 1, CHAINS - SUPER));
    for (size_t c = 0; c < CHAINS; c++)
        x[c] += (double)(c / EACH); /* stuck near their starts */
    assert_true(nested((cs_draws){x, 1, CHAINS}, SUPER, &why) > 3);
    for (size_t c = 0; c < CHAINS; c++)
        x[c] = (double)(c / EACH);
    assert_true(isinf(nested((cs_draws){x, 1, CHAINS}, SUPER, &why)));
}

static void what_is_undefined_says_why(void **state)
{
    const double x[] = {0, 2, 4, 6, 5, 7}, same[] = {1, 1, 1, 1};
    static const struct {
        size_t n, chains, super;
        const char *why;
    } bad[] = {
        {1, 6, 1, "nested R-hat needs at least two superchains"},
        {1, 6, 6, "superchains of one chain with one draw have no variance"},
    };
    const char *why;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cs_draws d = {x, bad[i].n, bad[i].chains};
        assert_true(isnan(nested(d, bad[i].super, &why)));
        assert_string_equal(why, bad[i].why);
    }
    assert_true(isnan(nested((cs_draws){same, 1, 4}, 2, &why)));
    assert_string_equal(why, "all draws are equal");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_case_by_hand),
    cmocka_unit_test(the_law),
    cmocka_unit_test(what_is_undefined_says_why),
};
TESTS(test_nested_rhat)
