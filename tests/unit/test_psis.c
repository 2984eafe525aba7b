/* Tests the Pareto fit and smoothed importance weights on tails that are
 * known. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/psis.h"

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

/* Equal weights, and tails of fewer than five draws, have no shape. */
static void short_tails_have_no_shape(void **state)
{
    double lw[100] = {0}, k;
    (void)state;
    assert_true(cs_psis(lw, 100, 1, &k) && k == HUGE_VAL);
    assert_true(cs_psis(lw, 20, 1, &k) && k == HUGE_VAL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(fits_have_the_shape_of_the_tail),
    cmocka_unit_test(short_tails_are_drawn_to_a_half),
    cmocka_unit_test(smoothed_weights_keep_their_order),
    cmocka_unit_test(short_tails_have_no_shape),
};
TESTS(test_psis)
