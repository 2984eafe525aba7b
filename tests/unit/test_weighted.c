/* Weighted draws against sums by hand, unweighted draws, and known answers. */
#include "support/support.h"

#include "stat/moments.h"
#include "stat/weighted.h"

#include <math.h>
#include <string.h>

enum { N = 4000 };

/* Uniforms and standard Gaussians by a plain generator. */
static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *seed)
{
    double r = sqrt(-2 * log(uniform(seed)));
    return r * cos(6.283185307179586 * uniform(seed));
}

static void small_sums_by_hand(void **state)
{
    (void)state;
    const double x[] = {5, 1, 3}, w[] = {2, 1, 1};
    assert_near(cs_weighted_mean(x, w, 3), 3.5, 1e-15, 0);
    /* sum w (x - 3.5)^2 = 4.5 + 6.25 + 0.25, divisor 4 - 6/4. */
    assert_near(cs_weighted_variance(x, w, 3), 11 / 2.5, 1e-15, 0);
    assert_near(cs_weight_size(w, 3), 16.0 / 6, 1e-15, 0);
    assert_true(cs_weighted_quantile(x, w, 3, 0.25) == 1);
    assert_true(cs_weighted_quantile(x, w, 3, 0.26) == 3);
    assert_true(cs_weighted_quantile(x, w, 3, 0.5) == 3);
    assert_true(cs_weighted_quantile(x, w, 3, 0.51) == 5);
    assert_true(cs_weighted_quantile(x, w, 3, 1) == 5);
}

static void equal_weights_are_none(void **state)
{
    (void)state;
    double x[N], w[N];
    uint64_t seed = 1;
    for (size_t i = 0; i < N; i++) {
        x[i] = normal(&seed);
        w[i] = 0.25;
    }
    assert_near(cs_weighted_mean(x, w, N), cs_mean(x, N), 1e-13, 1e-14);
    assert_near(cs_weighted_variance(x, w, N), cs_variance(x, N), 1e-12, 0);
    assert_near(cs_weight_size(w, N), N, 1e-12, 0);
    size_t from[N];
    assert_true(cs_resample_systematic(w, N, 0.5, N, from));
    for (size_t i = 0; i < N; i++)
        assert_int_equal(from[i], i);
}

static void a_constant_changes_nothing(void **state)
{
    (void)state;
    const double far[] = {-1e6, 0, 1e6};
    for (size_t k = 0; k < 3; k++) {
        double log_w[] = {far[k], far[k] + log(3), -HUGE_VAL}, w[3];
        assert_true(cs_weights_of(log_w, 3, w));
        assert_near(w[0], 1.0 / 3, 1e-9, 0);
        assert_true(w[1] == 1 && w[2] == 0);
    }
    double none[] = {-HUGE_VAL, -HUGE_VAL}, bad[] = {0, NAN};
    double most[] = {0, HUGE_VAL}, w[2];
    assert_false(cs_weights_of(none, 2, w));
    assert_false(cs_weights_of(bad, 2, w));
    assert_false(cs_weights_of(most, 2, w));
}

static void what_has_no_weight_is_not_seen(void **state)
{
    (void)state;
    const double x[] = {NAN, 2, HUGE_VAL, 4}, w[] = {0, 1, 0, 1};
    const double zero[4] = {0}, one[] = {0, 1, 0, 0};
    size_t from[6];
    assert_near(cs_weighted_mean(x, w, 4), 3, 0, 0);
    assert_near(cs_weighted_variance(x, w, 4), 2, 1e-15, 0);
    assert_true(cs_weighted_quantile(x, w, 4, 0.5) == 2);
    assert_true(isnan(cs_weighted_mean(x, zero, 4)));
    assert_true(isnan(cs_weighted_quantile(x, zero, 4, 0.5)));
    assert_true(isnan(cs_weighted_variance(x, one, 4)));
    assert_true(isnan(cs_weighted_mcse(x, zero, 1, 4, 2)));
    assert_true(isnan(cs_weighted_mcse(x, w, 1, 4, 5)));
    assert_true(isnan(cs_weight_size(zero, 4)));
    assert_false(cs_resample_systematic(zero, 4, 0, 6, from));
    assert_true(cs_resample_systematic(one, 4, 0.999, 6, from));
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(from[k], 1);
}

/* Gaussians of sd 1 with the weights of one of mean 1/2: over many sets the
 * spread of the weighted means is the error that is given. */
static void the_error_is_that_of_the_mean(void **state)
{
    (void)state;
    enum { SETS = 400, CHAINS = 4, LONG = 500 };
    double x[CHAINS * LONG], w[CHAINS * LONG], mean[SETS], error = 0;
    uint64_t seed = 7;
    for (size_t s = 0; s < SETS; s++) {
        for (size_t i = 0; i < CHAINS * LONG; i++) {
            x[i] = normal(&seed);
            w[i] = x[i] / 2 - 0.125;
        }
        assert_true(cs_weights_of(w, CHAINS * LONG, w));
        mean[s] = cs_weighted_mean(x, w, CHAINS * LONG);
        error += cs_weighted_mcse(x, w, CHAINS, LONG, 20) / SETS;
    }
    double spread = sqrt(cs_variance(mean, SETS));
    assert_near(cs_mean(mean, SETS), 0.5, 0, 4 * spread / sqrt(SETS));
    assert_near(error, spread, 0.12, 0); /* three errors of the spread */
}

static void resampled_draws_are_as_many_as_weighed(void **state)
{
    (void)state;
    double w[N];
    size_t from[3 * N], count[N];
    uint64_t seed = 3;
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += w[i] = i % 7 ? uniform(&seed) : 0;
    for (int k = 0; k < 20; k++) {
        memset(count, 0, sizeof count);
        assert_true(cs_resample_systematic(w, N, uniform(&seed), 3 * N, from));
        for (size_t i = 0; i < 3 * N; i++) {
            assert_true(i == 0 || from[i] >= from[i - 1]);
            count[from[i]]++;
        }
        for (size_t i = 0; i < N; i++)
            assert_true(fabs((double)count[i] - 3 * N * w[i] / sum) < 1 + 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sums_by_hand),
        cmocka_unit_test(equal_weights_are_none),
        cmocka_unit_test(a_constant_changes_nothing),
        cmocka_unit_test(what_has_no_weight_is_not_seen),
        cmocka_unit_test(the_error_is_that_of_the_mean),
        cmocka_unit_test(resampled_draws_are_as_many_as_weighed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
