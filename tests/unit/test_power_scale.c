/* Tests the sensitivity to the power of prior and likelihood on a normal mean,
 * whose posterior with any powers is known. */
#include "support/support.h"

#include "stat/power_scale.h"

#include <math.h>
#include <string.h>

enum { N = 4000 };

/* A mean with the prior normal(0, 1 / prior) and data whose likelihood is that
 * of a normal with this centre; precisions. */
typedef struct model {
    double prior, data, centre;
} model;

typedef struct normal {
    double mean, sd;
} normal;

/* The posterior with the powers a of the prior and b of the likelihood. */
static normal posterior(model m, double a, double b)
{
    double precision = a * m.prior + b * m.data;
    return (normal){b * m.data * m.centre / precision, 1 / sqrt(precision)};
}

static double cumulative(normal q, double x)
{
    return 0.5 * erfc((q.mean - x) / q.sd / sqrt(2));
}

/* Returns x with cumulative(q, x) = p, by bisection. */
static double quantile(normal q, double p)
{
    double low = q.mean - 9 * q.sd, high = q.mean + 9 * q.sd;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (cumulative(q, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Draws: quantiles of the posterior, in another order. */
static void draw(model m, double *x)
{
    normal q = posterior(m, 1, 1);
    for (size_t i = 0; i < N; i++)
        x[i * 2477 % N] = quantile(q, ((double)i + 0.5) / N);
}

/* Returns p log2(p) - p log2((p + q) / 2) + (q - p) / (2 log 2), the integrand
 * of the paper. */
static double integrand(double p, double q)
{
    double entropy = p > 0 ? p * (log2(p) - log2((p + q) / 2)) : 0;
    return entropy + (q - p) / 2 / log(2);
}

/* Integrates the distance of the paper between p and q by the trapezoidal rule
 * on the range of the draws. If `mirror` is true, the variable is -x. */
static double exact_distance(normal p, normal q, double low, double high,
                             bool mirror)
{
    enum { PARTS = 20000 };
    double sum = 0, bound = 0;
    for (int i = 0; i <= PARTS; i++) {
        double x = low + (high - low) * i / PARTS;
        double a = cumulative(p, x), b = cumulative(q, x);
        a = mirror ? 1 - a : a;
        b = mirror ? 1 - b : b;
        double weight = i == 0 || i == PARTS ? 0.5 : 1;
        sum += weight * (integrand(a, b) + integrand(b, a));
        bound += weight * (a + b);
    }
    return sqrt(sum / bound);
}

static double exact(model m, double a, double b, double low, double high)
{
    normal p = posterior(m, 1, 1), q = posterior(m, a, b);
    return fmax(exact_distance(p, q, low, high, false),
                exact_distance(p, q, low, high, true));
}

/* Returns the sensitivity to the prior, or to the likelihood. */
static double found(model m, bool prior, double alpha, const double *x)
{
    static double log_c[N], w[N];
    double at[2], k;
    for (size_t i = 0; i < N; i++) {
        double off = prior ? x[i] : x[i] - m.centre;
        log_c[i] = -0.5 * (prior ? m.prior : m.data) * off * off - 3000;
    }
    for (int j = 0; j < 2; j++) {
        assert_true(cs_power_weights(log_c, N, j ? alpha : 1 / alpha, w, &k));
        at[j] = cs_cumulative_distance(x, w, N);
        assert_true(k < 0.7);
    }
    return cs_power_sensitivity(at[0], at[1], alpha);
}

static double expected(model m, bool prior, double alpha, const double *x)
{
    double low = x[0], high = x[0], at[2];
    for (size_t i = 0; i < N; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (int j = 0; j < 2; j++) {
        double power = j ? alpha : 1 / alpha;
        at[j] = exact(m, prior ? power : 1, prior ? 1 : power, low, high);
    }
    return (at[0] + at[1]) / 2 / log2(alpha);
}

static const model weak = {0.01, 12, 0.6}, conflict = {1, 4, 6},
                   strong = {100, 0.01, 3};

static void sensitivities_are_those_of_the_formula(void **state)
{
    static double x[N];
    static const double powers[] = {1.01, 1.25};
    const model models[] = {weak, conflict, strong};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        draw(models[i], x);
        for (size_t k = 0; k < 4; k++) {
            bool prior = k % 2;
            double alpha = powers[k / 2];
            assert_near(found(models[i], prior, alpha, x),
                        expected(models[i], prior, alpha, x), 0.03, 2e-4);
        }
    }
}

static void verdicts_name_the_cause(void **state)
{
    static double x[N];
    static const struct {
        const model *of;
        const char *verdict;
    } rows[] = {{&weak, "-"},
                {&conflict, "prior-data conflict"},
                {&strong, "strong prior or weak likelihood"}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        draw(*rows[i].of, x);
        double prior = found(*rows[i].of, true, CS_POWER, x);
        double likelihood = found(*rows[i].of, false, CS_POWER, x);
        assert_string_equal(cs_power_verdict(prior, likelihood),
                            rows[i].verdict);
    }
    assert_string_equal(cs_power_verdict((double)NAN, 1), "unknown");
}

/* Equal weights, and equal draws, have the distance 0. A draw that is not
 * finite has none. The distance of -x is that of x. */
static void distances_have_limits(void **state)
{
    double x[5] = {3, 1, 2, 5, 4}, w[5] = {0.2, 0.2, 0.2, 0.2, 0.2}, k;
    double other[5] = {0.1, 0.3, 0.2, 0.1, 0.3}, minus[5], log_c[5] = {0};
    (void)state;
    assert_true(cs_cumulative_distance(x, w, 5) < 1e-12);
    double one = cs_cumulative_distance(x, other, 5);
    for (size_t i = 0; i < 5; i++)
        minus[i] = -x[i];
    assert_true(one > 0.01 && one < 1);
    assert_near(cs_cumulative_distance(minus, other, 5), one, 0, 1e-12);
    for (size_t i = 0; i < 5; i++)
        minus[i] = 7;
    assert_true(cs_cumulative_distance(minus, other, 5) == 0);
    x[2] = (double)NAN;
    assert_true(isnan(cs_cumulative_distance(x, w, 5)));
    assert_true(cs_power_weights(log_c, 5, 1.01, w, &k));
    for (size_t i = 0; i < 5; i++)
        assert_near(w[i], 0.2, 0, 1e-15);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sensitivities_are_those_of_the_formula),
    cmocka_unit_test(verdicts_name_the_cause),
    cmocka_unit_test(distances_have_limits),
};
TESTS(test_power_scale)
