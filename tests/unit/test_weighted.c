/* Compares results for weighted draws with sums computed by hand, with results
 * for unweighted draws, and with known values. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/moments.h"
#include "stat/weighted.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

enum { N = 4000 };

/* Returns a uniform number from a simple generator. */
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

/* Returns a weighted quantile, or NaN if it does not exist. */
static double quantile(const double *x, const double *w, size_t n, double p)
{
    cs_weighted_order order;
    if (!cs_weighted_sort(x, w, n, &order))
        return (double)NAN;
    double q = cs_weighted_quantile_of(&order, p);
    cs_free(order.x);
    return q;
}

static void small_sums_by_hand(void **state)
{
    (void)state;
    const double x[] = {5, 1, 3}, w[] = {2, 1, 1};
    assert_near(cs_weighted_mean(x, w, 3), 3.5, 1e-15, 0);
    /* sum w (x - 3.5)^2 = 4.5 + 6.25 + 0.25; the divisor is 4 - 6/4 */
    assert_near(cs_weighted_variance(x, w, 3), 11 / 2.5, 1e-15, 0);
    assert_near(cs_weight_size(w, 3), 16.0 / 6, 1e-15, 0);
    assert_true(quantile(x, w, 3, 0.25) == 1);
    assert_true(quantile(x, w, 3, 0.26) == 3);
    assert_true(quantile(x, w, 3, 0.5) == 3);
    assert_true(quantile(x, w, 3, 0.51) == 5);
    assert_true(quantile(x, w, 3, 1) == 5);
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
    assert_true(quantile(x, w, 4, 0.5) == 2);
    assert_true(isnan(cs_weighted_mean(x, zero, 4)));
    assert_true(isnan(quantile(x, zero, 4, 0.5)));
    assert_true(isnan(cs_weighted_variance(x, one, 4)));
    assert_true(isnan(cs_weighted_error((cs_draws){x, 4, 1}, zero)));
    assert_true(isnan(cs_weight_size(zero, 4)));
    assert_false(cs_resample_systematic(zero, 4, 0, 6, from));
    assert_true(cs_resample_systematic(one, 4, 0.999, 6, from));
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(from[k], 1);
}

/* The draws are standard normal, with the weights of a Gaussian with mean 1/2.
 * Over many sets of draws, the spread of the weighted means equals the reported
 * error. */
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
        assert_true(cs_weights_of_chains(w, CHAINS, LONG, w));
        mean[s] = cs_weighted_mean(x, w, CHAINS * LONG);
        error += cs_weighted_error((cs_draws){x, LONG, CHAINS}, w) / SETS;
    }
    double spread = sqrt(cs_variance(mean, SETS));
    assert_near(cs_mean(mean, SETS), 0.5, 0, 4 * spread / sqrt(SETS));
    assert_near(error, spread, 0.12, 0); /* three standard errors of the
                                          * spread */
}

static void chains_count_alike(void **state)
{
    (void)state;
    double log_w[] = {0, log(3), 1e6, 1e6 + log(4)}, w[4];
    assert_true(cs_weights_of_chains(log_w, 2, 2, w));
    const double want[] = {0.5, 1.5, 0.4, 1.6};
    for (size_t i = 0; i < 4; i++)
        assert_near(w[i], want[i], 1e-9, 0);
    assert_false(cs_weights_alike(log_w, 2, 2));
    const double same[] = {-7, -HUGE_VAL, -HUGE_VAL, 5}, odd[] = {NAN, 0};
    assert_true(cs_weights_alike(same, 2, 2));
    assert_false(cs_weights_alike(odd, 1, 2));
    log_w[2] = log_w[3] = -HUGE_VAL;
    assert_false(cs_weights_of_chains(log_w, 2, 2, w));
}

/* Tests coverage for autoregressive chains with sd 1. The weights are those of
 * a Gaussian with mean 1/2 or, with `wide`, with mean 0 and sd 1 / sqrt(3/4).
 * Counts how often the true value is within 1.96 errors of the estimate. */
typedef struct covered {
    double mean, low, median, high;
} covered;

static covered cover(double rho, bool wide, uint64_t seed)
{
    enum { SETS = 1000, CHAINS = 4, LONG = 1000 };
    static double x[CHAINS * LONG], w[CHAINS * LONG];
    const double part = 1.0 / SETS, scale = wide ? 1 / sqrt(0.75) : 1;
    const double at = wide ? 0 : 0.5;
    covered out = {0};
    for (size_t s = 0; s < SETS; s++) {
        for (size_t i = 0; i < CHAINS * LONG; i++) {
            x[i] = i % LONG ? rho * x[i - 1] : 0;
            x[i] += (i % LONG ? sqrt(1 - rho * rho) : 1) * normal(&seed);
            w[i] = wide ? x[i] * x[i] / 8 : x[i] / 2;
        }
        assert_true(cs_weights_of_chains(w, CHAINS, LONG, w));
        cs_diagnosis d = cs_diagnose_weighted((cs_draws){x, LONG, CHAINS}, w,
                                              &cs_usual_quantiles);
        const cs_quantile_figures *q = d.quantile;
        double tail = 1.6448536269514722 * scale;
        out.mean += part * (fabs(d.figures.mean - at) < 1.96 * d.figures.mcse);
        out.low += part * (fabs(q[0].at - at + tail) < 1.96 * q[0].mcse);
        out.median += part * (fabs(q[1].at - at) < 1.96 * q[1].mcse);
        out.high += part * (fabs(q[2].at - at - tail) < 1.96 * q[2].mcse);
    }
    return out;
}

/* In a thousand sets, the coverage is 95 % within 4 standard errors. The errors
 * are less accurate in the tails, for slow chains, and if there are only a few
 * effective draws. */
static void intervals_cover_what_is_true(void **state)
{
    (void)state;
    const double rho[] = {0, 0.5, 0.9};
    /* keeps the buffers in the heap between two diagnoses */
    mallopt(M_MMAP_THRESHOLD, 1 << 24);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    for (size_t k = 0; k < 3; k++)
        for (int wide = 0; wide < 2; wide++) {
            covered c = cover(rho[k], wide, 11 + k);
            assert_near(c.mean, 0.95, 0, 0.028);
            assert_near(c.median, 0.95, 0, 0.028);
            assert_near(c.low, 0.93, 0, rho[k] > 0.5 ? 0.05 : 0.028);
            assert_near(c.high, 0.93, 0, rho[k] > 0.5 ? 0.05 : 0.028);
        }
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_sums_by_hand),
    cmocka_unit_test(equal_weights_are_none),
    cmocka_unit_test(a_constant_changes_nothing),
    cmocka_unit_test(what_has_no_weight_is_not_seen),
    cmocka_unit_test(the_error_is_that_of_the_mean),
    cmocka_unit_test(chains_count_alike),
    cmocka_unit_test(intervals_cover_what_is_true),
    cmocka_unit_test(resampled_draws_are_as_many_as_weighed),
};
TESTS(test_weighted)
