/* Kernels with a stochastic gradient report a standard deviation: that of the
 * part of a chain's move that is due to noise. This value is compared with
 * closed forms and with the first steps of many chains from one state. */
#include "run/history/changes.h"
#include "run/run.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <math.h>

enum { ROWS = 20, CHAINS = 8000, D = SMALL_ROWS_DIM };
static const double rate = 0.05, batch = 4, declared = 0.3, heat = 1.7;

typedef struct noise {
    double gradient[D * D], injected[D];
} noise;

typedef struct setting {
    const char *kernel, *order;
    bool control;
    size_t chain;     /* tested chain; with replicas, odd chains are hot */
    double injected;  /* noise variance / (rate * temperature) */
    const char *more; /* name of one more parameter, or NULL */
    double value;
} setting;

static const setting settings[] = {
    {"sgd", "with_replacement", false, 0, 0, NULL, 0},
    {"momentum_sgd", "without_replacement", false, 0, 0, NULL, 0},
    {"sgld", "with_replacement", false, 0, 2, NULL, 0},
    {"sgld", "without_replacement", false, 0, 2, NULL, 0},
    {"sgld", "epochs", false, 0, 2, NULL, 0},
    {"sgld", "with_replacement", true, 0, 2, NULL, 0},
    {"sghmc", "epochs", false, 0, 2 * (0.1 - 0.05 * 0.5 / 2 / 1.7),
     "noise_variance", 0.5},
    {"replica_exchange_sgld", "epochs", false, 0, 2, "hottest", 3.4},
    {"replica_exchange_sgld", "epochs", false, 1, 4, "hottest", 3.4},
};

static int order_of(const char *name)
{
    static const char *const all[] = {"epochs", "without_replacement",
                                      "with_replacement"};
    int i = 0;
    while (strcmp(all[i], name) != 0)
        i++;
    return i;
}

static cs_run *run_of(cs_target *t, const setting *s)
{
    static const double start[D] = {0.4, -0.2};
    const cs_value given[] = {
        {.name = "rate", .given = 1, .number = rate},
        {.name = "batch", .kind = CS_PARAM_INT, .given = 1, .number = batch},
        {.name = "order",
         .kind = CS_PARAM_CHOICE,
         .given = 1,
         .number = order_of(s->order)},
        {.name = "control_variates",
         .kind = CS_PARAM_BOOL,
         .given = 1,
         .number = s->control},
        {.name = "gradient_noise", .given = 1, .number = declared},
        {.name = "temperature", .given = 1, .number = heat},
        {.name = s->more ? s->more : "rate",
         .given = 1,
         .number = s->more ? s->value : rate}};
    cs_value kept[7];
    size_t n = 0;
    cs_error err = {0};
    cs_arm_spec arm = {.name = "a"};
    const cs_kernel_type *type = cs_kernel_find(s->kernel);
    for (size_t i = 0; i < 6 + (s->more != NULL); i++)
        if (cs_param_find(type->params, type->n_params, given[i].name) >= 0)
            kept[n++] = given[i];
    if (cs_kernel_init(&arm.kernel, type, kept, n, &err) != CS_OK)
        fail_msg("%s: %s", s->kernel, err.what);
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .seed = 11,
                              .start = start,
                              .n_starts = 1};
    cs_run *run;
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    return run;
}

/* Returns the covariance of the gradient estimate in coordinates i and j. */
static double covariance(const setting *s, size_t i, size_t j)
{
    double sum = 0, mean[2] = {0};
    for (size_t r = 0; r < ROWS; r++) {
        mean[0] += small_rows_datum(r, i) / ROWS;
        mean[1] += small_rows_datum(r, j) / ROWS;
    }
    for (size_t r = 0; r < ROWS; r++)
        sum += (small_rows_datum(r, i) - mean[0]) *
               (small_rows_datum(r, j) - mean[1]) * pow(small_rows_weight, 2);
    double scale = ROWS / batch; /* N^2 / n, times 1 / N for the mean */
    if (strcmp(s->order, "with_replacement") != 0)
        scale *= (ROWS - batch) / (ROWS - 1);
    return (s->control ? 0 : scale * sum) + (i == j) * declared * declared;
}

static void noise_is_that_of_the_formula(void **state)
{
    (void)state;
    cs_target *t = small_rows_of(ROWS, 0);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        cs_run *run = run_of(t, s);
        noise got;
        assert_false(cs_run_noise(run, 0, 0, D, got.gradient, got.injected));
        run_steps(run, 1);
        assert_true(
            cs_run_noise(run, 0, s->chain, D, got.gradient, got.injected));
        for (size_t i = 0; i < D; i++) {
            assert_near(got.injected[i], s->injected * rate * heat, 1e-9,
                        1e-14);
            for (size_t j = 0; j < D; j++)
                assert_near(got.gradient[i * D + j],
                            rate * rate * covariance(s, i, j), 1e-9, 1e-14);
        }
        cs_run_destroy(run);
    }
    cs_target_release(t);
}

/* The reported noise equals the spread of all chains after one step. Chains at
 * a rung with a high temperature are not included in the spread. */
static void noise_is_what_chains_do(void **state)
{
    (void)state;
    cs_target *t = small_rows_of(ROWS, 0);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        const setting *s = &settings[k];
        cs_run *run = run_of(t, s);
        noise reported;
        run_steps(run, 1);
        assert_true(cs_run_noise(run, 0, s->chain, D, reported.gradient,
                                 reported.injected));
        cs_arm_view arm = cs_run_arm(run, 0);
        double sum[D] = {0}, product[D * D] = {0}, n = 0;
        for (size_t c = s->chain; c < arm.chains; c += arm.group, n++) {
            const double *x = cs_run_chain(run, 0, c).proposal;
            for (size_t i = 0; i < D; i++) {
                sum[i] += x[i];
                for (size_t j = 0; j < D; j++)
                    product[i * D + j] += x[i] * x[j];
            }
        }
        for (size_t i = 0; i < D; i++)
            for (size_t j = 0; j < D; j++) {
                double want = reported.gradient[i * D + j] +
                              (i == j ? reported.injected[i] : 0);
                double size =
                    reported.gradient[i * D + i] + reported.injected[i];
                assert_near(product[i * D + j] / n - sum[i] / n * sum[j] / n,
                            want, 0, 0.07 * size);
            }
        cs_run_destroy(run);
    }
    cs_target_release(t);
}

/* psgld preconditions both sources of noise in each coordinate. The variance of
 * the gradient noise is multiplied by the square of the preconditioner. */
static void noise_is_preconditioned(void **state)
{
    (void)state;
    const setting s = {"psgld", "with_replacement", false, 0, 2, NULL, 0};
    cs_target *t = small_rows_of(ROWS, 0);
    cs_run *run = run_of(t, &s);
    noise got;
    run_steps(run, 3);
    assert_true(cs_run_noise(run, 0, 5, D, got.gradient, got.injected));
    double g[D];
    for (size_t i = 0; i < D; i++)
        g[i] = got.injected[i] / (2 * rate * heat);
    assert_true(g[0] > 1 && fabs(g[0] / g[1] - 1) > 1e-3);
    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j < D; j++)
            assert_near(got.gradient[i * D + j] / (g[i] * g[j]),
                        rate * rate * covariance(&s, i, j), 1e-9, 1e-14);
    cs_run_destroy(run);
    cs_target_release(t);
}

/* For sgld with a metric, both the injected noise and the gradient noise are
 * transformed by the metric. */
static void noise_is_of_the_metric(void **state)
{
    (void)state;
    const setting s = {"sgld", "with_replacement", false, 0, 2, NULL, 0};
    static const double metric[D * D] = {0.7, -0.3, -0.3, 1.9};
    cs_target *t = small_rows_of(ROWS, 0);
    cs_run *run = run_of(t, &s);
    noise got;
    assert_int_equal(
        cs_run_set_metric(run, 0, CS_METRIC_DENSE, metric, NULL, NULL), CS_OK);
    run_steps(run, 3);
    assert_true(cs_run_noise(run, 0, 5, D, got.gradient, got.injected));
    for (size_t i = 0; i < D; i++) {
        assert_near(got.injected[i], 2 * rate * heat * metric[i * D + i], 1e-9,
                    1e-14);
        for (size_t j = 0; j < D; j++) {
            double want = 0;
            for (size_t k = 0; k < D * D; k++)
                want += metric[i * D + k / D] * covariance(&s, k / D, k % D) *
                        metric[j * D + k % D];
            assert_near(got.gradient[i * D + j], rate * rate * want, 1e-9,
                        1e-14);
        }
    }
    cs_run_destroy(run);
    cs_target_release(t);
}

static void others_have_none(void **state)
{
    (void)state;
    const setting s = {"mala", "epochs", false, 0, 0, NULL, 0};
    cs_target *t = small_rows_of(ROWS, 0);
    cs_run *run = run_of(t, &s);
    noise got;
    run_steps(run, 1);
    assert_false(cs_run_noise(run, 0, 0, D, got.gradient, got.injected));
    cs_run_destroy(run);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(noise_is_that_of_the_formula),
    cmocka_unit_test(noise_is_what_chains_do),
    cmocka_unit_test(noise_is_preconditioned),
    cmocka_unit_test(noise_is_of_the_metric),
    cmocka_unit_test(others_have_none),
};
TESTS(test_gradient_noise)
