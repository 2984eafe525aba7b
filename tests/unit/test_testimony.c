/* Tests the comparison of two estimates of the same number (stat/testimony.h)
 * and the error of a grid (target/grid_error.h), with values computed by
 * hand. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/testimony.h"
#include "support/watch.h"
#include "target/grid_error.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static void apart_and_how_far_chance_goes(void **state)
{
    const cs_testimony a = {7.5, 0.3, 1000}, b = {5, 0.4, 400};
    const cs_testimony exact = {5, 0, HUGE_VAL}, few = {5, 0.4, 5};
    (void)state;
    assert_near(cs_testimony_apart(&a, &b), 5, 1e-12, 0);
    assert_near(cs_testimony_apart(&a, &exact), 2.5 / 0.3, 1e-12, 0);
    assert_true(isnan(cs_testimony_apart(&exact, &exact)));
    /* by Welch: 0.25^2 / (0.09^2 / 100 + 0.16^2 / 40) */
    double freedom = 0.0625 / (0.0081 / 100 + 0.0256 / 40);
    assert_near(cs_testimony_max(&a, &b, 1e-6),
                gsl_cdf_tdist_Qinv(5e-7, freedom), 1e-9, 0);
    assert_near(cs_testimony_max(&a, &exact, 1e-6),
                gsl_cdf_tdist_Qinv(5e-7, 100), 1e-9, 0);
    assert_near(cs_testimony_max(&few, &exact, 1e-6),
                gsl_cdf_tdist_Qinv(5e-7, 3), 1e-9, 0);
}

/* The errors for independent normal draws with sd 2 agree with the formulas. */
static void draws_testify(void **state)
{
    enum { CHAINS = 4, N = 10000 };
    static double x[CHAINS * N];
    const double q[] = {-3.2897, 0, 3.2897};
    cs_testimony out[CS_WITNESSED] = {{.at = 1, .error = 1, .size = 1}};
    (void)state;
    for (size_t i = 0; i < CHAINS * N; i++)
        x[i] = 2 * watch_normal();
    const double all = CHAINS * N;
    const cs_testimony_draws d = {x, NULL, CHAINS, N, all, all};
    cs_testify(&d, q, out);
    assert_near(out[CS_WITNESSED_MEAN].at, 1, 0, 0); /* as set above */
    assert_near(out[CS_WITNESSED_SD].at, log(2), 0, 0.02);
    assert_near(out[CS_WITNESSED_SD].error, sqrt(0.5 / (CHAINS * N)), 0.6, 0);
    assert_near(out[CS_WITNESSED_LOW].at, 0.05, 0, 0.006);
    assert_near(out[CS_WITNESSED_MEDIAN].at, 0.5, 0, 0.012);
    assert_near(out[CS_WITNESSED_HIGH].at, 0.95, 0, 0.006);
    for (int i = CS_WITNESSED_MEDIAN; i <= CS_WITNESSED_MEDIAN; i++)
        assert_near(out[i].error, sqrt(0.25 / (CHAINS * N)), 0.6, 0);
    /* one chain is far from the others; this increases the error, because it is
     * computed from batches */
    for (size_t i = 0; i < N; i++)
        x[i] += 4;
    cs_testify(&d, q, out);
    assert_true(out[CS_WITNESSED_MEDIAN].error >
                10 * sqrt(0.25 / (CHAINS * N)));
    /* if one draw determines the mean, mean and sd are not reported */
    x[5] = 1e6;
    cs_testify(&d, q, out);
    assert_true(isnan(out[CS_WITNESSED_MEAN].at));
    assert_true(isnan(out[CS_WITNESSED_SD].at));
    assert_true(isfinite(out[CS_WITNESSED_MEDIAN].at));
}

/* A draw with weight 2 counts like two draws. */
static void weighted_draws_testify(void **state)
{
    enum { N = 640 };
    double x[N], w[N];
    const double q[] = {-1, 0.25, 1};
    cs_testimony out[CS_WITNESSED] = {{0}};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)(i % 2);
        w[i] = i % 2 ? 1 : 3;
    }
    const cs_testimony_draws d = {x, w, 2, N / 2, 1e4, 1e4};
    cs_testify(&d, q, out);
    assert_near(out[CS_WITNESSED_MEDIAN].at, 0.75, 1e-12, 0);
    assert_near(out[CS_WITNESSED_SD].at, log(0.25 * 0.75) / 2, 1e-9, 0);
}

/* Returns a normal density around `centre` with an sd of `width` cells, on a
 * grid of n x m cells. */
static cs_enumeration normal_grid(size_t n, size_t m, double centre,
                                  double width)
{
    cs_enumeration g = {.n = n * m, .side = {n, m}};
    g.p = cs_alloc(g.n, sizeof *g.p);
    g.logp = cs_alloc(g.n, sizeof *g.logp);
    assert_true(g.p && g.logp);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            double x = ((double)i - centre) / width;
            double y = m > 1 ? ((double)j - centre) / width : 0;
            g.logp[i * m + j] = -(x * x + y * y) / 2;
        }
    assert_true(cs_enumeration_normalise(g.logp, g.n, g.p));
    return g;
}

static double true_error(const cs_enumeration *g, double centre, double width)
{
    double worst = 0, sum = 0;
    size_t m = g->side[1];
    for (size_t i = 0; i < g->side[0]; i++) {
        for (size_t j = 0; j < m; j++)
            sum += g->p[i * m + j];
        double exact = gsl_cdf_ugaussian_P(((double)i + 0.5 - centre) / width);
        worst = fmax(worst, fabs(sum - exact));
    }
    return worst;
}

/* For any position and width of the density, the error of the grid is at most
 * the reported bound. With small cells the bound is small. */
static void a_grid_knows_its_error(void **state)
{
    (void)state;
    for (size_t m = 1; m <= 60; m += 59)
        for (double width = 0.2; width < 6; width *= 1.3)
            for (double at = 0; at < 3; at += 0.37) {
                cs_grid_error e;
                cs_enumeration g = normal_grid(60, m, 29 + at, width);
                assert_true(cs_grid_error_of(&g, &e));
                double bound = cs_grid_error_sum(&e);
                assert_true(bound >= true_error(&g, 29 + at, width));
                assert_true(width < 4 || bound < 0.006);
                assert_true(width > 0.5 || bound == 1);
                cs_enumeration_clear(&g);
            }
}

/* The view ends at 1.5 sd, so 6.7 % of the mass is outside the grid. The
 * reported bound is at least this large. */
static void a_grid_knows_what_is_beyond(void **state)
{
    cs_grid_error e;
    cs_enumeration g = normal_grid(600, 1, 600 - 1.5 * 100, 100);
    (void)state;
    assert_true(cs_grid_error_of(&g, &e));
    assert_true(e.outside > 0.0668 && e.outside < 0.3);
    assert_true(e.beyond[0][1] > 0 && e.beyond[0][0] < 1e-3);
    cs_enumeration_clear(&g);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(apart_and_how_far_chance_goes),
    cmocka_unit_test(draws_testify),
    cmocka_unit_test(weighted_draws_testify),
    cmocka_unit_test(a_grid_knows_its_error),
    cmocka_unit_test(a_grid_knows_what_is_beyond),
};
TESTS(test_testimony)
