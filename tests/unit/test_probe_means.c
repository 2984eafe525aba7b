/* Compares the probe `means` with running means computed by the test. */
#include "support/watch.h"

enum { N = 500, K = 2 };

static const cs_value two_dim = {
    .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = K};

/* Returns draws for chains with different locations and spreads. Chain 2 fails
 * halfway. */
static double draw(size_t c, size_t d)
{
    return (double)(c + 1) * (watch_normal() + 0.3 * (double)d);
}

typedef struct running {
    double sum[WATCH_CHAINS][K], square, n[WATCH_CHAINS];
} running;

static double mean_of(const running *r, size_t d, double *spread)
{
    double mean = 0, square = 0;
    for (size_t c = 0; c < WATCH_CHAINS; c++)
        mean += r->sum[c][d] / r->n[c] / WATCH_CHAINS;
    for (size_t c = 0; c < WATCH_CHAINS; c++)
        square += pow(r->sum[c][d] / r->n[c] - mean, 2) / WATCH_CHAINS;
    *spread = square;
    return mean;
}

static void the_course_is_that_of_running_means(void **state)
{
    static running at[N + 1];
    watch w;
    double x[WATCH_CHAINS * K];
    (void)state;
    assert_int_equal(watch_open(&w, "means", "gaussian", &two_dim, 1), 0);
    for (size_t i = 1; i <= N; i++) {
        at[i] = at[i - 1];
        w.failed[2] = i > N / 2;
        for (size_t c = 0; c < WATCH_CHAINS; c++)
            for (size_t d = 0; d < K; d++) {
                x[c * K + d] = draw(c, d);
                if (!w.failed[c])
                    at[i].sum[c][d] += x[c * K + d];
            }
        for (size_t c = 0; c < WATCH_CHAINS; c++)
            at[i].n[c] += !w.failed[c];
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    cs_flat_entry time = watch_find(&w, "time");
    assert_int_equal(time.cols, 62); /* 500 / 8, rounded down */
    const cs_exact *exact = &w.target->exact;
    for (size_t i = 0; i < time.cols; i++) {
        const running *r = &at[(size_t)time.data[i]];
        double error = 0;
        assert_near(time.data[i], 8 * ((double)i + 1), 0, 0);
        for (size_t d = 0; d < K; d++) {
            double spread, mean = mean_of(r, d, &spread);
            assert_near(entry(&w, "mean", i * K + d), mean, 1e-12, 1e-12);
            assert_near(entry(&w, "spread", i * K + d), spread, 1e-12, 1e-12);
            for (size_t c = 0; c < WATCH_CHAINS; c++)
                error += pow(r->sum[c][d] / r->n[c] - exact->mean[d], 2) /
                         exact->variance[d] / K / WATCH_CHAINS;
        }
        assert_near(entry(&w, "mse", i), error, 1e-10, 0);
    }
    watch_close(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_course_is_that_of_running_means),
};
TESTS(test_probe_means)
