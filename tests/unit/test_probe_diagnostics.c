/* Compares the probe `diagnostics` with known properties of series that are
 * passed to `observe`. */
#include "support/watch.h"

#include "stat/diagnostics.h"
#include "stat/moments.h"

enum { CHAINS = WATCH_CHAINS };
enum { COL_MEAN, COL_SD, MCSE, ESS, COLUMNS };

static void open_feed(watch *w)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 1};
    assert_int_equal(watch_open(w, "diagnostics", "gaussian", &dim, 1), CS_OK);
}

/* Returns the row of scalar k; scalar 0 is the energy. */
static const double *row(watch *w, size_t k)
{
    watch_report(w);
    cs_flat_entry e = watch_find(w, "all");
    assert_int_equal(e.cols, COLUMNS);
    return e.data + k * e.cols;
}

/* In a very short run, every draw is a batch of its own. The values then equal
 * those of stat/diagnostics. Another test compares stat/diagnostics with the
 * reference implementation. */
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
    const double *r = row(&w, 1);
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[COL_SD], sqrt(cs_variance(all, CHAINS * N)), 1e-12, 0);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 0, 0);
    assert_near(r[ESS], cs_ess_mean(d, NULL), 1e-12, 0);
    r = row(&w, 0); /* the energy -log p is x */
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 1e-12, 0);
    watch_close(&w);
}

/* For x_t = a x_{t-1} + e, the effective sample size of the mean tends to n (1
 * - a) / (1 + a). With 4 x 50000 steps it far exceeds the 1024 draws that are
 * stored. */
static void long_runs_keep_counting(void **state)
{
    static const double as[] = {0, 0.5, 0.9, -0.5};
    enum { N = 50000 };
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        double a = as[k], x[CHAINS] = {0};
        watch w;
        open_feed(&w);
        for (size_t i = 0; i < N; i++) {
            for (size_t c = 0; c < CHAINS; c++)
                x[c] = a * x[c] + watch_normal();
            watch_step(&w, x, NULL);
        }
        const double *r = row(&w, 1);
        double ess = CHAINS * N * (1 - a) / (1 + a), sd = 1 / sqrt(1 - a * a);
        /* about 200 batches per chain: the variance has an error of 5 % */
        assert_near(r[ESS], ess, 0.25, 0);
        assert_near(r[COL_SD], sd, 0.03, 0);
        assert_near(r[MCSE], sd / sqrt(ess), 0.15, 0);
        assert_true(fabs(r[COL_MEAN]) < 5 * r[MCSE]);
        watch_close(&w);
    }
}

/* Passes normal numbers to the probe. The means of successive chains differ by
 * `apart`. The numbers `u` are passed as log p. */
static void feed_apart(watch *w, size_t steps, double apart, const double *u)
{
    for (size_t i = 0; i < steps; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            x[c] = apart * (double)c + watch_normal();
        watch_step(w, x, u);
    }
}

/* Chains with different means never agree, however many steps they make. Hence
 * the effective sample size stays at a few draws. */
static void chains_apart_are_seen(void **state)
{
    watch w;
    (void)state;
    open_feed(&w);
    feed_apart(&w, 20000, 10, NULL);
    const double *r = row(&w, 1);
    assert_true(r[ESS] < 20);
    /* four means 0, 10, 20, 30: the standard error is at least 12.9 / 2 */
    assert_true(r[MCSE] > 5);
    watch_close(&w);
}

/* A failed chain is excluded while other chains are alive. */
static void failed_chains_are_left_out(void **state)
{
    watch w;
    (void)state;
    open_feed(&w);
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {watch_normal(), watch_normal(), 3, watch_normal()};
        watch_step(&w, x, NULL);
    }
    w.failed[2] = true;
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {watch_normal(), watch_normal(), (double)NAN,
                            watch_normal()};
        watch_step(&w, x, NULL);
    }
    assert_true(row(&w, 1)[ESS] > 800);
    for (size_t c = 0; c < CHAINS; c++)
        w.failed[c] = true;
    assert_true(row(&w, 1)[ESS] > 800);
    watch_close(&w);
}

/* If draws alternate, their effective sample size exceeds the number of draws
 * n. The reported value is limited to n log10(n) for any n. */
static void no_more_than_draws_could_be_worth(void **state)
{
    enum { N = 4096 };
    watch w;
    (void)state;
    open_feed(&w);
    for (size_t i = 0; i < N; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            x[c] = i % 2 ? 1 : -1 + 1e-9 * watch_normal();
        watch_step(&w, x, NULL);
    }
    double n = CHAINS * N;
    const double *r = row(&w, 1);
    assert_near(r[ESS], n * log10(n), 1e-12, 0);
    assert_near(r[MCSE], r[COL_SD] / sqrt(r[ESS]), 1e-12, 0);
    watch_close(&w);
}

/* At each step only one chain is at a draw of the target. The sums of a chain
 * use only its own draws (x = 3 + a slow walk). */
static void chains_that_see_less(void **state)
{
    enum { N = 6000 };
    watch w, same;
    double x[CHAINS] = {0}, ess[2];
    (void)state;
    open_feed(&w);
    open_feed(&same);
    for (size_t i = 0; i < N; i++) {
        double at[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            at[c] = 3 + (x[c] = 0.9 * x[c] + watch_normal());
        watch_step(&same, at, NULL);
        for (size_t c = 0; c < CHAINS; c++) /* this step is not a draw */
            w.left_out[c] = true;
        w.left_out[i % CHAINS] = false;
        double off[CHAINS] = {100, 100, 100, 100};
        memcpy(&off[i % CHAINS], &at[i % CHAINS], sizeof *off);
        watch_step(&w, off, NULL);
    }
    ess[0] = row(&w, 1)[ESS];
    ess[1] = row(&same, 1)[ESS];
    assert_near(row(&w, 1)[COL_MEAN], 3, 0, 0.5);
    /* every fourth step of a walk with a = 0.9 has a = 0.6561 */
    double want = ess[1] / 4 * 19 * (1 - 0.6561) / (1 + 0.6561);
    assert_near(ess[0], want, 0.3, 0);
    watch_close(&w);
    watch_close(&same);
}

static void nothing_seen_is_undefined(void **state)
{
    watch w;
    (void)state;
    open_feed(&w);
    const double *r = row(&w, 1);
    for (size_t k = 0; k < COLUMNS; k++)
        assert_true(isnan(r[k]));
    watch_close(&w);
}

/* The coordinates after the first ten also use all steps for their mean.
 * Coordinate 90 of a hundred is a copy of coordinate 1, and has the same mean
 * and the same error of the mean. Its standard deviation, however, uses only
 * every eighth step. One chain fails during the run. */
static void all_coordinates_are_of_all_steps(void **state)
{
    enum { N = 20000, DIM = 100, LAST = 90 };
    static double x[CHAINS * DIM];
    double sd = 1 / sqrt(1 - 0.81), at[CHAINS] = {0};
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "diagnostics", "gaussian", &dim, 1), CS_OK);
    for (size_t i = 0; i < N; i++) {
        for (size_t c = 0; c < CHAINS; c++) {
            at[c] = 0.9 * at[c] + watch_normal();
            x[c * DIM] = x[c * DIM + LAST - 1] = 3 + at[c];
        }
        w.failed[2] = i >= N / 3;
        watch_step(&w, x, NULL);
        if (i < 64 || (i % 1000 && i > 300 && i != N - 1))
            continue;
        const double *r = row(&w, 1);
        double mean = r[COL_MEAN], mcse = r[MCSE];
        assert_int_equal(watch_find(&w, "all").rows, 1 + DIM);
        r = row(&w, LAST);
        assert_near(r[COL_MEAN], mean, 1e-12, 0);
        assert_near(r[MCSE], mcse, i > 300 ? 1e-9 : 0.5, 1e-12);
    }
    const double *r = row(&w, LAST);
    assert_near(r[COL_SD], sd, 0.05, 0);
    assert_near(r[ESS], (CHAINS - 1) * N / 19., 0.3, 0);
    watch_close(&w);
}

/* A single chain passes sixteen steps to the probe at a time. The results have
 * the same bits as for single steps. */
static void a_course_is_as_steps(void **state)
{
    enum { N = 3000, DIM = 70, WIDTH = 80 };
    static double x[CHAINS * DIM];
    static _Alignas(CS_ALIGN) double row_of[CS_SERIES_ROWS * WIDTH];
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "diagnostics", "gaussian", &dim, 1), CS_OK);
    double *other = cs_alloc(w.probe.words * WATCH_LANES, sizeof *other);
    assert_non_null(other);
    for (size_t i = 0, n = 0; i < N; i++) {
        for (size_t d = 0; d < DIM; d++)
            x[d] = watch_normal();
        watch_step(&w, x, NULL);
        row_of[n * WIDTH] = -x[0];
        memcpy(row_of + n * WIDTH + 1, x, DIM * sizeof *x);
        if (++n < CS_SERIES_ROWS && i + 1 < N)
            continue;
        const cs_probe_series c = {.row = row_of,
                                   .n = n,
                                   .width = WIDTH,
                                   .lanes = WATCH_LANES,
                                   .step = i + 2 - n};
        w.probe.type->observe_series(&w.probe, &c, other);
        n = 0;
    }
    for (size_t k = 0; k < w.probe.words; k++)
        assert_true(w.memory[k * WATCH_LANES] == other[k * WATCH_LANES]);
    cs_free(other);
    watch_close(&w);
}

/* Only the first coordinates are observed in two cases: if the target is a
 * lattice, or if memory does not suffice for all coordinates of all chains. */
static void not_where_it_takes_too_much(void **state)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 100};
    watch w;
    (void)state;
    assert_int_equal(watch_open(&w, "diagnostics", "ising", NULL, 0), CS_OK);
    watch_report(&w);
    assert_int_equal(watch_find(&w, "all").rows, 11);
    watch_close(&w);
    assert_int_equal(watch_open(&w, "diagnostics", "gaussian", &dim, 1), CS_OK);
    size_t words = w.probe.words;
    w.probe.type->fit(&w.probe, 4);
    assert_int_equal(w.probe.words, words);
    w.probe.type->fit(&w.probe, 1000);
    assert_true(w.probe.words < words / 20);
    watch_close(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(short_runs_are_exact),
    cmocka_unit_test(long_runs_keep_counting),
    cmocka_unit_test(chains_apart_are_seen),
    cmocka_unit_test(failed_chains_are_left_out),
    cmocka_unit_test(no_more_than_draws_could_be_worth),
    cmocka_unit_test(chains_that_see_less),
    cmocka_unit_test(nothing_seen_is_undefined),
    cmocka_unit_test(all_coordinates_are_of_all_steps),
    cmocka_unit_test(a_course_is_as_steps),
    cmocka_unit_test(not_where_it_takes_too_much),
};
TESTS(test_probe_diagnostics)
