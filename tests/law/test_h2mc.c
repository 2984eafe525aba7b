/* Tests h2mc against its formula with an exact Hessian, and on a Gaussian, where
 * it makes independent draws. */
#include "support/laws.h"
#include "support/support.h"

#include <math.h>

enum { LANES = 40, DIM = 2, SIZE = DIM * LANES };

static const double start[DIM] = {0.3, -0.2};

static setting with(double step, double time)
{
    setting s = {.kernel.type = cs_kernel_find("h2mc"),
                 .kernel.values = {step, time}};
    assert_non_null(s.kernel.type);
    return s;
}

/* The proposal of the banana log p = -x^2/2 - 2 (y - x^2)^2 along one
 * eigenvector. Returns its log density, up to a constant. */
static double log_q_along(double curve, double slope, double moved, double step,
                          double time)
{
    double s = curve < 0 ? pow(sin(time), 2) : pow(sinh(time), 2);
    double c = curve < 0 ? 1 - cos(time) : cosh(time) - 1;
    double weight = fabs(curve) / s + 1 / (step * step);
    double mean = c * slope / (s * weight);
    return 0.5 * log(weight) - 0.5 * weight * pow(moved - mean, 2);
}

static double log_q_of_banana(const double *from, const double *to, double step,
                              double time)
{
    double x = from[0], off = from[1] - x * x;
    double g[DIM] = {-x + 8 * x * off, -4 * off};
    double a = -1 + 8 * off - 16 * x * x, b = 8 * x, d = -4, sum = 0;
    double angle = 0.5 * atan2(2 * b, a - d);
    for (int k = 0; k < DIM; k++, angle += M_PI / 2) {
        double u = cos(angle), v = sin(angle);
        double curve = a * u * u + 2 * b * u * v + d * v * v;
        sum += log_q_along(curve, g[0] * u + g[1] * v,
                           (to[0] - x) * u + (to[1] - from[1]) * v, step, time);
    }
    return sum;
}

/* Differences of second order leave a relative error of about 1e-9. */
static void its_densities_are_the_formula(void **state)
{
    const double times[] = {0.4, M_PI / 2, 2.5};
    (void)state;
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &t, NULL), CS_OK);
    for (int k = 0; k < 3; k++) {
        setting s = with(0.8, times[k]);
        cs_block *b = open_block(&s, t, 3, LANES, start);
        for (int n = 0; n < 20; n++) {
            double from[SIZE];
            memcpy(from, b->move.x, sizeof from);
            one_step(&s, b);
            const cs_info *i = &b->move.info;
            for (size_t l = 0; l < LANES; l++) {
                double x[DIM] = {from[l], from[LANES + l]};
                double y[DIM] = {i->proposal[l], i->proposal[LANES + l]};
                double there = log_q_of_banana(x, y, 0.8, times[k]);
                double back = log_q_of_banana(y, x, 0.8, times[k]);
                assert_near(i->log_q_forward[l], there, 1e-6, 1e-6);
                assert_near(i->log_q_back[l], back, 1e-6, 1e-6);
            }
        }
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* With T = pi/2 and a wide limit, proposals are draws from a Gaussian target:
 * every one is accepted. */
static void a_gaussian_is_drawn_independently(void **state)
{
    cs_value rho = {.name = "rho", .given = true, .number = 0.9};
    (void)state;
    cs_target *t = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &rho, 1, &t, NULL), CS_OK);
    setting s = with(1e6, M_PI / 2);
    cs_block *b = open_block(&s, t, 3, LANES, start);
    for (int n = 0; n < 20; n++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++)
            assert_near(b->move.info.log_ratio[l], 0, 0, 1e-6);
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(its_densities_are_the_formula),
    cmocka_unit_test(a_gaussian_is_drawn_independently),
};
TESTS(test_h2mc)
