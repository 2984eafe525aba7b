/* The probe `diagnostics` against what the draws are known to be: a series is
 * fed through `observe` as steps would feed it. */
#include "support/watch.h"

#include "stat/diagnostics.h"
#include "stat/moments.h"

enum { CHAINS = WATCH_CHAINS };
enum { COL_MEAN, COL_SD, RHAT, BULK, TAIL, MCSE, ESS, COLUMNS };

static void open_feed(watch *w)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 1};
    assert_int_equal(watch_open(w, "diagnostics", "gaussian", &dim, 1), CS_OK);
}

/* The row of scalar k (0: the energy); the reason goes to *why. */
static const double *row(watch *w, size_t k, const char **why)
{
    watch_report(w);
    if (why)
        *why = watch_find(w, "reason").text;
    cs_flat_entry e = watch_find(w, "table");
    assert_int_equal(e.cols, COLUMNS);
    return e.data + k * e.cols;
}

/* While every draw is kept the figures are those of stat/diagnostics, which
 * is itself held against the reference implementation. */
static void short_runs_are_exact(void **state)
{
    enum { N = 96 };
    static double all[CHAINS * N];
    watch w;
    (void)state;
    open_feed(&w);
    for (size_t i = 0; i < N; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            all[c * N + i] = x[c] =
                (i ? 0.7 * all[c * N + i - 1] : 0) + watch_normal();
        watch_step(&w, x, NULL);
    }
    cs_draws d = {all, N, CHAINS};
    const double *r = row(&w, 1, NULL);
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[COL_SD], sqrt(cs_variance(all, CHAINS * N)), 1e-12, 0);
    assert_near(r[RHAT], cs_rhat(d, NULL), 0, 0);
    assert_near(r[BULK], cs_ess_bulk(d, NULL), 0, 0);
    assert_near(r[TAIL], cs_ess_tail(d, NULL), 0, 0);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 0, 0);
    assert_near(r[ESS], cs_ess_mean(d, NULL), 1e-12, 0);
    r = row(&w, 0, NULL); /* -U = x */
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 1e-12, 0);
    watch_close(&w);
}

/* x_t = a x_{t-1} + e: the ESS of the mean is n (1 - a) / (1 + a), exactly in
 * the limit; with 4 x 50000 steps it far exceeds the 1024 draws kept. */
static void long_runs_keep_counting(void **state)
{
    static const double as[] = {0, 0.5, 0.9, -0.5};
    enum { N = 50000 };
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        double a = as[k], x[CHAINS] = {0};
        watch w;
        const char *why;
        open_feed(&w);
        for (size_t i = 0; i < N; i++) {
            for (size_t c = 0; c < CHAINS; c++)
                x[c] = a * x[c] + watch_normal();
            watch_step(&w, x, NULL);
        }
        const double *r = row(&w, 1, &why);
        double ess = CHAINS * N * (1 - a) / (1 + a), sd = 1 / sqrt(1 - a * a);
        /* about 200 batches a chain: the error of the variance is 5 % */
        assert_near(r[ESS], ess, 0.25, 0);
        assert_near(r[COL_SD], sd, 0.03, 0);
        assert_near(r[MCSE], sd / sqrt(ess), 0.15, 0);
        assert_near(r[RHAT], 1, 0, 0.02);
        assert_true(r[BULK] <= 1024 * 1.5 && r[BULK] > 100);
        assert_true(fabs(r[COL_MEAN]) < 5 * r[MCSE]);
        assert_string_equal(why, "");
        watch_close(&w);
    }
}

/* Normals, the means of the chains so far apart; u NULL: theirs. */
static void feed_apart(watch *w, size_t steps, double apart, const double *u)
{
    for (size_t i = 0; i < steps; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            x[c] = apart * (double)c + watch_normal();
        watch_step(w, x, u);
    }
}

/* Chains at different places never agree, however many steps they make: the
 * size is that of a handful of draws, and the reason says so. */
static void chains_apart_are_seen(void **state)
{
    watch w;
    const char *why;
    (void)state;
    open_feed(&w);
    feed_apart(&w, 20000, 10, NULL);
    const double *r = row(&w, 1, &why);
    assert_true(r[RHAT] > 1.5);
    assert_true(r[ESS] < 20 && r[BULK] < 20);
    /* four means 0, 10, 20, 30: sd of the mean at least 12.9 / 2 */
    assert_true(r[MCSE] > 5);
    assert_non_null(strstr(why, "R-hat of"));
    watch_close(&w);
}

static void stuck_and_failed_chains_are_named(void **state)
{
    watch w;
    const char *why;
    (void)state;
    open_feed(&w);
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {watch_normal(), watch_normal(), 3, watch_normal()};
        watch_step(&w, x, NULL);
    }
    row(&w, 1, &why);
    assert_string_equal(why, "chain 3 is stuck: all its draws are equal");
    watch_close(&w);
    open_feed(&w);
    for (size_t i = 0; i < 200; i++) {
        static const double x[CHAINS] = {1, 1, 1, 1}, u[CHAINS] = {1, 2, 3, 4};
        watch_step(&w, x, u);
    }
    row(&w, 1, &why); /* x is all equal, but that is not what is wrong */
    assert_string_equal(why, "chain 1 is stuck: all its draws are equal");
    watch_close(&w);
    open_feed(&w);
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {watch_normal(), watch_normal(), 3, watch_normal()};
        watch_step(&w, x, NULL);
    }
    w.failed[2] = true;
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {watch_normal(), watch_normal(), NAN,
                            watch_normal()};
        watch_step(&w, x, NULL);
    }
    const double *r = row(&w, 1, &why);
    assert_string_equal(why, "1 of 4 chains failed; left out");
    assert_true(r[ESS] > 800 && r[RHAT] < 1.1);
    for (size_t c = 0; c < CHAINS; c++)
        w.failed[c] = true;
    assert_true(row(&w, 1, &why)[ESS] > 800);
    assert_string_equal(why, "all 4 chains failed, chain 4 last");
    watch_close(&w);
}

static void a_flat_energy_is_not_all_draws(void **state)
{
    static const double flat[CHAINS] = {2, 2, 2, 2};
    watch w;
    const char *why;
    (void)state;
    open_feed(&w);
    feed_apart(&w, 200, 0, flat);
    row(&w, 1, &why);
    assert_string_equal(why, "energy: all draws are equal");
    watch_close(&w);
}

static void nothing_seen_is_undefined(void **state)
{
    watch w;
    const char *why;
    (void)state;
    open_feed(&w);
    const double *r = row(&w, 1, &why);
    for (size_t k = 0; k < COLUMNS; k++)
        assert_true(isnan(r[k]));
    assert_string_equal(why, "there are no draws");
    watch_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_exact),
        cmocka_unit_test(long_runs_keep_counting),
        cmocka_unit_test(chains_apart_are_seen),
        cmocka_unit_test(stuck_and_failed_chains_are_named),
        cmocka_unit_test(a_flat_energy_is_not_all_draws),
        cmocka_unit_test(nothing_seen_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
