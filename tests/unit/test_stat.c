#include "support/support.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "stat/cholesky.h"
#include "stat/distance.h"
#include "stat/moments.h"
#include "stat/series.h"

#include <math.h>
#include <string.h>

static void moments_of_a_small_sample(void **state)
{
    (void)state;
    /* by hand: the deviations from the mean 3 are -3 -1 0 4 */
    const double x[] = {0, 2, 3, 7};
    assert_near(cs_mean(x, 4), 3, 1e-15, 0);
    assert_near(cs_variance(x, 4), 26.0 / 3, 1e-15, 0);
    assert_true(isnan(cs_mean(x, 0)) && isnan(cs_variance(x, 1)));
    assert_near(cs_quantile(x, 4, 0.5), 2.5, 1e-15, 0);
    assert_near(cs_quantile(x, 4, 0.1), 0.6, 1e-14, 0);
    assert_true(cs_quantile(x, 4, 1) == 7 && isnan(cs_quantile(x, 0, 0.5)));
}

/* Tries a single chain and an odd number of chains. All lags fit into one
 * block, or the lags need several blocks, of which the last is incomplete. */
static void autocovariance_is_the_sum_it_stands_for(void **state)
{
    (void)state;
    enum { N = 37, CHAINS = 3 };
    const size_t lags[] = {1, 2, 5, 16, N};
    double x[CHAINS * N], got[N];
    for (int i = 0; i < CHAINS * N; i++)
        x[i] = 1e3 * (1 + i / N) + sin(i * i);
    for (size_t l = 0; l < sizeof lags / sizeof *lags; l++)
        for (size_t chains = 1; chains <= CHAINS; chains += 2) {
            assert_int_equal(
                cs_autocovariance(x, N, chains, lags[l], got, NULL), CS_OK);
            for (size_t k = 0; k < lags[l]; k++) {
                double want = 0;
                for (size_t c = 0; c < chains; c++) {
                    const double *y = x + c * N;
                    double mean = cs_mean(y, N);
                    for (size_t i = 0; i + k < N; i++)
                        want += (y[i] - mean) * (y[i + k] - mean) / N;
                }
                assert_near(got[k], want / (double)chains, 0, 1e-14);
            }
        }
    assert_int_equal(cs_autocovariance(x, 3, 1, 4, got, NULL), CS_RANGE);
    assert_int_equal(cs_autocovariance(x, 1, 1, 1, got, NULL), CS_OK);
    assert_true(got[0] == 0);
}

static void ties_share_their_rank(void **state)
{
    (void)state;
    const double x[] = {5, 1, 5, 3, 5}, want[] = {4, 1, 4, 2, 4};
    double rank[5], z[5];
    assert_int_equal(cs_ranks(x, 5, rank, NULL), CS_OK);
    assert_memory_equal(rank, want, sizeof rank);
    assert_int_equal(cs_normal_scores(x, 5, z, NULL), CS_OK);
    /* R: qnorm((1 - 3/8) / 5.25) */
    assert_near(z[1], -1.1797611176118612, 1e-12, 0);
}

static void distances_of_small_samples(void **state)
{
    (void)state;
    const double a[] = {0.1, 0.2, 0.7}, b[] = {0.2, 0.8};
    assert_near(cs_ks_two(a, 3, b, 2), 0.5, 1e-14, 0);
    assert_near(cs_ks_two(a, 3, a, 3), 0, 0, 0);
    const double c[] = {1, (double)NAN, (double)NAN}, d[] = {1, 2, (double)NAN};
    assert_near(cs_ks_two(c, 3, d, 3), 1.0 / 3, 1e-14, 0); /* NaN sorts last */
    /* by Kolmogorov, P(sqrt(n) D > 1.3581) = 0.05 */
    assert_near(cs_ks_p(1.3581e-4, 1e8), 0.05, 0, 1e-4);
    assert_true(cs_ks_p(0, 10) == 1 && cs_ks_p(1, 1e4) == 0);
    assert_near(cs_total_variation((double[]){1, 3}, (double[]){1, 1}, 2), 0.25,
                1e-15, 0);
}

/* Checks that L L' equals the matrix, and that the inverse is correct.
 * Different code is used for small and for large matrices. */
static void check_factor(size_t n)
{
    double *a = cs_alloc(n * n, sizeof *a), *l = cs_alloc(n * n, sizeof *l);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = exp(-0.3 * fabs((double)i - (double)j)) +
                           (i == j ? 0.1 + 0.01 * (double)(i % 7) : 0);
    memcpy(l, a, n * n * sizeof *a);
    assert_true(cs_cholesky(l, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k <= j; k++)
                sum += l[i * n + k] * l[j * n + k];
            assert_near(sum, a[i * n + j], 1e-12, 1e-12);
            assert_true(j == i || l[j * n + i] == 0);
        }
    assert_true(cs_cholesky_invert(l, n));
    for (size_t i = 0; i < n; i += 7)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * l[k * n + j];
            assert_near(sum, i == j, 1e-11, 1e-11);
        }
    a[n * n - 1] = -1;
    assert_false(cs_cholesky(a, n));
    cs_free(a);
    cs_free(l);
}

static bool at_once(void *self)
{
    (void)self;
    return true;
}

static void matrices_are_factored_and_inverted(void **state)
{
    (void)state;
    check_factor(5);
    check_factor(301);
    double *a = cs_alloc(300 * 300, sizeof *a);
    for (size_t i = 0; i < 300; i++)
        a[i * 301] = 1;
    assert_true(cs_cholesky(a, 300) && cs_cholesky_invert(a, 300));
    cs_cancellation_set(at_once, NULL);
    assert_false(cs_cholesky(a, 300));
    assert_false(cs_cholesky_invert(a, 300));
    cs_cancellation_set(NULL, NULL);
    cs_free(a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(moments_of_a_small_sample),
    cmocka_unit_test(autocovariance_is_the_sum_it_stands_for),
    cmocka_unit_test(ties_share_their_rank),
    cmocka_unit_test(distances_of_small_samples),
    cmocka_unit_test(matrices_are_factored_and_inverted),
};
TESTS(test_stat)
