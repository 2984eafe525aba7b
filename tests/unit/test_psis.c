/* Tests the Pareto fit and smoothed importance weights on tails that are
 * known. */
#include "support/support.h"

#include "base/cancellation.h"
#include "base/memory.h"
#include "stat/model_comparison.h"

#include <math.h>

enum { N = 4000 };

/* The fit of exact order statistics has their shape, drawn towards 1/2, and
 * their scale. */
static void fits_have_the_shape_of_the_tail(void **state)
{
    static double x[N], scratch[N];
    static const double shapes[] = {-0.2, 0.1, 0.5, 0.9, 1.3};
    (void)state;
    for (size_t s = 0; s < 5; s++) {
        double k, sigma, shape = shapes[s];
        for (size_t i = 0; i < N; i++)
            x[i] = 2.5 * expm1(-shape * log1p(-((double)i + 0.5) / N)) / shape;
        cs_pareto_fit(x, N, scratch, &k, &sigma);
        assert_near(k, (shape * N + 5) / (N + 10), 0, 0.01);
        assert_near(sigma, 2.5, 0.02, 0);
    }
}

/* Ten observations with the shape 1/2 count much in a short tail. */
static void short_tails_are_drawn_to_a_half(void **state)
{
    enum { FEW = 40 };
    double x[FEW], scratch[FEW + 30], k, sigma;
    (void)state;
    for (size_t i = 0; i < FEW; i++)
        x[i] = expm1(-1.3 * log1p(-((double)i + 0.5) / FEW)) / 1.3;
    cs_pareto_fit(x, FEW, scratch, &k, &sigma);
    assert_near(k, (1.3 * FEW + 5) / (FEW + 10), 0, 0.08);
}

/* Log weights of an exponential with rate 1 / k have a Pareto tail with shape
 * k. The smoothed weights keep the order of the draws, and only the tail
 * changes. */
static void smoothed_weights_keep_their_order(void **state)
{
    static double lw[N], was[N];
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        double k, shape = (double[]){0.3, 0.6, 0.95}[s];
        size_t changed = 0;
        for (size_t i = 0; i < N; i++) {
            size_t at = i * 2477 % N; /* in another order */
            lw[at] = was[at] = 7 - shape * log1p(-((double)i + 0.5) / N);
        }
        double most = 7 - shape * log1p(-(N - 0.5) / N);
        assert_true(cs_psis(lw, N, 1, &k));
        assert_near(k, shape, 0, 0.06);
        for (size_t i = 0; i < N; i++) {
            changed += fabs(lw[i] - (was[i] - most)) > 1e-12;
            assert_true(lw[i] <= 0);
        }
        /* 3 sqrt(4000) draws are in the tail */
        assert_true(changed <= 190 && changed > 150);
        for (size_t i = 1; i < N; i++) {
            size_t a = (i - 1) * 2477 % N, b = i * 2477 % N;
            assert_true(lw[a] <= lw[b] + 1e-12);
        }
    }
}

/* A tail of equal weights, and a tail of fewer than five draws, cannot be
 * fitted. */
static void short_tails_have_no_shape(void **state)
{
    double lw[100] = {0}, k;
    (void)state;
    lw[7] = -1;
    assert_true(cs_psis(lw, 100, 1, &k) && k == HUGE_VAL);
    assert_true(cs_psis(lw, 20, 1, &k) && k == HUGE_VAL);
}

/* Equal weights have no shape: the densities of an observation with a constant
 * log likelihood are exact, and not unreliable. R's loo 2.5.1 also gives the
 * exact density, with the shape Inf and a warning. */
static void constants_are_exact(void **state)
{
    double x[400], k, lw[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    cs_loo point[2];
    (void)state;
    assert_true(cs_psis(lw, 12, 1, &k) && isnan(k) && lw[0] == 0);
    for (size_t i = 0; i < 400; i++)
        x[i] = -1.7;
    assert_true(cs_loo_of((cs_draws){x, 100, 4}, &point[0]));
    assert_near(point[0].elpd, -1.7, 0, 1e-14);
    assert_near(point[0].waic, -1.7, 0, 1e-14);
    assert_true(point[0].error < 1e-14 && isnan(point[0].k));
    point[1] = point[0];
    assert_int_equal(cs_loo_total(point, 2).bad, 0);
    assert_true(isnan(cs_loo_total(point, 2).worst));
    point[1].k = 0.3;
    assert_true(cs_loo_total(point, 2).worst == 0.3);
}

/* A draw with likelihood 0 counts in the mean of the likelihoods, and its ratio
 * is infinite. */
static void draws_may_have_likelihood_zero(void **state)
{
    static double x[400];
    cs_loo l;
    (void)state;
    for (size_t i = 0; i < 400; i++)
        x[i] = i % 4 ? -0.5 : -HUGE_VAL;
    assert_true(cs_loo_of((cs_draws){x, 100, 4}, &l));
    assert_near(l.lpd, log(0.75) - 0.5, 0, 1e-14);
    assert_true(l.elpd == -HUGE_VAL && l.k == HUGE_VAL && l.lpd_error > 0);
    x[7] = HUGE_VAL;
    assert_true(cs_loo_of((cs_draws){x, 100, 4}, &l) && isnan(l.lpd));
    for (size_t i = 0; i < 400; i++)
        x[i] = -HUGE_VAL;
    assert_true(cs_loo_of((cs_draws){x, 100, 4}, &l) && l.lpd == -HUGE_VAL);
}

static bool stops(void *self)
{
    return ++*(size_t *)self > 3;
}

/* Stacking weights do not change with a constant that is added to the densities
 * of an observation, also if their exponentials are not representable, and the
 * algorithm can be stopped. */
static void stacking_weights_are_relative(void **state)
{
    enum { MODELS = 3, MANY = 200 };
    static double elpd[MODELS][MANY], far[MODELS][MANY];
    double w[MODELS], v[MODELS], slope[MODELS] = {0};
    size_t calls = 0;
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        for (size_t k = 0; k < MODELS; k++) {
            elpd[k][i] =
                -1 - (double)((i * (7 + 6 * k) + k) % 11) / (double)(5 + k);
            far[k][i] = elpd[k][i] - 1500 + 15 * (double)i;
        }
    assert_true(cs_stacking(elpd[0], MODELS, MANY, w));
    assert_true(cs_stacking(far[0], MODELS, MANY, v));
    assert_near(w[0] + w[1] + w[2], 1, 1e-12, 0);
    for (size_t k = 0; k < MODELS; k++)
        assert_near(v[k], w[k], 0, 1e-9);
    /* at the maximum the slope is 1 where the weight is above 0, and else at
     * most 1 */
    for (size_t i = 0; i < MANY; i++) {
        double all = 0;
        for (size_t k = 0; k < MODELS; k++)
            all += w[k] * exp(elpd[k][i]);
        for (size_t k = 0; k < MODELS; k++)
            slope[k] += exp(elpd[k][i]) / all / MANY;
    }
    for (size_t k = 0; k < MODELS; k++)
        assert_true(slope[k] < 1 + 1e-6 &&
                    (w[k] < 1e-3 || slope[k] > 1 - 1e-6));
    cs_cancellation_set(stops, &calls);
    assert_true(cs_stacking(elpd[0], MODELS, MANY, w));
    cs_cancellation_set(NULL, NULL);
    assert_int_equal(calls, 4);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fits_have_the_shape_of_the_tail),
    cmocka_unit_test(short_tails_are_drawn_to_a_half),
    cmocka_unit_test(smoothed_weights_keep_their_order),
    cmocka_unit_test(short_tails_have_no_shape),
    cmocka_unit_test(constants_are_exact),
    cmocka_unit_test(draws_may_have_likelihood_zero),
    cmocka_unit_test(stacking_weights_are_relative),
};
TESTS(test_psis)
