/* Compares the steps of each optimiser with formulas for one number at a time.
 * The number of parameters is larger than the length of a SIMD vector, but not
 * a multiple of this length. */
#include "learn/optimiser.h"
#include "support/support.h"
#include "support/watch.h"

#include <math.h>
#include <string.h>

enum { N = 21, UPDATES = 12 };

static void sgd(const double *value, double rate, size_t t, double g, double *x,
                double *m, double *v)
{
    (void)value, (void)t, (void)m, (void)v;
    *x += rate * g;
}

static void momentum(const double *value, double rate, size_t t, double g,
                     double *x, double *m, double *v)
{
    (void)t, (void)v;
    *m = value[1] * *m + rate * g;
    *x += *m;
}

/* Computes a step of Adam (Kingma and Ba 2015, Algorithm 1) for
 * maximisation. */
static void adam(const double *value, double rate, size_t t, double g,
                 double *x, double *m, double *v)
{
    *m = value[1] * *m + (1 - value[1]) * g;
    *v = value[2] * *v + (1 - value[2]) * g * g;
    double mean = *m / (1 - pow(value[1], (double)t));
    double square = *v / (1 - pow(value[2], (double)t));
    *x += rate * mean / (sqrt(square) + value[3]);
}

typedef void by_hand(const double *value, double rate, size_t t, double g,
                     double *x, double *m, double *v);

static const struct {
    const char *name;
    by_hand *step;
} optimisers[] = {{"sgd", sgd}, {"momentum", momentum}, {"adam", adam}};
enum { OPTIMISERS = sizeof optimisers / sizeof *optimisers };

static void steps_are_those_by_hand(void **state)
{
    (void)state;
    for (size_t k = 0; k < OPTIMISERS; k++) {
        const cs_optimiser_type *type = cs_optimiser_find(optimisers[k].name);
        cs_optimiser o;
        double x[N], m[2][N] = {{0}}, want[N], by[2][N] = {{0}}, g[N];
        assert_int_equal(cs_optimiser_init(&o, type, NULL, 0, NULL), CS_OK);
        for (size_t i = 0; i < N; i++)
            x[i] = want[i] = watch_normal();
        for (size_t t = 1; t <= UPDATES; t++) {
            double rate = 0.3 / (double)t;
            for (size_t i = 0; i < N; i++) {
                g[i] = watch_normal();
                optimisers[k].step(o.value, rate, t, g[i], &want[i], &by[0][i],
                                   &by[1][i]);
            }
            const cs_ascent a = {.value = o.value,
                                 .rate = rate,
                                 .update = (double)t,
                                 .n = N,
                                 .x = x,
                                 .memory = {m[0], m[1]},
                                 .g = g};
            cs_optimiser_best()->step[type->step](&a);
            for (size_t i = 0; i < N; i++)
                assert_near(x[i], want[i], 1e-12, 1e-12);
        }
    }
    assert_null(cs_optimiser_at(OPTIMISERS)); /* this test lists all
                                               * optimisers */
}

/* Tests two functions. The first function returns the sum of the parts from a
 * given index on, and reports whether this sum is finite. The second function
 * updates the running mean. */
static void sums_and_means(void **state)
{
    double part[3][N], sum[N] = {0}, mean[N];
    double *const at[] = {part[0], part[1], part[2]};
    const cs_optimiser_ops *op = cs_optimiser_best();
    (void)state;
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < 3; k++)
            part[k][i] = (double)(i + 100 * k);
        mean[i] = 1;
    }
    assert_true(op->sum(at, 3, 4, N - 4, sum));
    for (size_t i = 0; i < N; i++)
        assert_near(sum[i], i < 4 ? 0 : 3 * (double)i + 300, 0, 0);
    part[1][N - 1] = NAN;
    assert_false(op->sum(at, 3, 4, N - 4, sum));
    assert_true(op->sum(at, 3, 4, N - 5, sum));
    op->follow(sum, 0.75, N - 1, mean);
    for (size_t i = 0; i + 1 < N; i++)
        assert_near(mean[i], 0.75 + 0.25 * sum[i], 1e-14, 0);
    assert_near(mean[N - 1], 1, 0, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_those_by_hand),
    cmocka_unit_test(sums_and_means),
};
TESTS(test_optimisers)
