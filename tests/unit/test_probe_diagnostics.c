/* The probe `diagnostics` against what the draws are known to be: a series is
 * fed through `observe` as steps would feed it. */
#include "support/support.h"

#include "base/memory.h"
#include "base/simd.h"
#include "probe/probe.h"
#include "stat/diagnostics.h"
#include "stat/moments.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 4, LANES = 8 };
enum { COL_MEAN, COL_SD, RHAT, BULK, TAIL, MCSE, ESS, COLUMNS };

typedef struct feed {
    cs_target *target;
    cs_probe probe;
    double *memory, x[LANES], u[LANES];
    bool failed[LANES], flag[LANES];
    uint64_t step;
    cs_flat out;
} feed;

static void open_feed(feed *f)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 1};
    memset(f, 0, sizeof *f);
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &dim, 1, &f->target, NULL),
        CS_OK);
    assert_int_equal(cs_probe_init(&f->probe, cs_probe_find("diagnostics"),
                                   NULL, 0, f->target, NULL),
                     CS_OK);
    f->memory = cs_alloc(f->probe.words * LANES, sizeof(double));
    assert_non_null(f->memory);
    cs_flat_begin(&f->out, cs_alloc(1, 1 << 16), 1 << 16);
}

static void close_feed(feed *f)
{
    cs_free(f->memory);
    cs_free(f->out.base);
    cs_probe_fini(&f->probe);
    cs_target_release(f->target);
}

/* One step of every chain; U is minus the coordinate. */
static void step(feed *f, const double *x)
{
    cs_info info = {.u = f->u, .accepted = f->flag, .moved = f->flag};
    cs_sight s = {.x = f->x,
                  .info = &info,
                  .failed = f->failed,
                  .dim = 1,
                  .lanes = LANES,
                  .live = CHAINS,
                  .step = ++f->step};
    for (size_t l = 0; l < LANES; l++) {
        f->x[l] = x[l < CHAINS ? l : CHAINS - 1];
        f->u[l] = -f->x[l];
    }
    f->probe.type->observe(&f->probe, &s, f->memory);
}

/* The row of scalar k (0: the energy); the reason goes to *why. */
static const double *row(feed *f, size_t k, const char **why)
{
    cs_lane_memory chain[CHAINS];
    cs_flat_entry e;
    for (size_t c = 0; c < CHAINS; c++)
        chain[c] = (cs_lane_memory){f->memory + c, LANES};
    cs_flat_begin(&f->out, f->out.base, 1 << 16);
    f->probe.type->report(&f->probe, chain, CHAINS, "", &f->out);
    assert_false(f->out.full);
    if (why) {
        assert_true(cs_flat_find(f->out.base, f->out.used, &e, "reason"));
        *why = e.text;
    }
    assert_true(cs_flat_find(f->out.base, f->out.used, &e, "table"));
    assert_int_equal(e.cols, COLUMNS);
    return e.data + k * e.cols;
}

static uint64_t seed_state = 88172645463325252u;
/* Marsaglia's xorshift64 and a sum of twelve: a normal from no part of ours. */
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        seed_state ^= seed_state << 13;
        seed_state ^= seed_state >> 7;
        seed_state ^= seed_state << 17;
        sum += (double)(seed_state >> 11) * 0x1p-53;
    }
    return sum;
}

/* While every draw is kept the figures are those of stat/diagnostics, which
 * is itself held against the reference implementation. */
static void short_runs_are_exact(void **state)
{
    enum { N = 96 };
    static double all[CHAINS * N];
    feed f;
    (void)state;
    open_feed(&f);
    for (size_t i = 0; i < N; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            all[c * N + i] = x[c] =
                (i ? 0.7 * all[c * N + i - 1] : 0) + normal();
        step(&f, x);
    }
    cs_draws d = {all, N, CHAINS};
    const double *r = row(&f, 1, NULL);
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[COL_SD], sqrt(cs_variance(all, CHAINS * N)), 1e-12, 0);
    assert_near(r[RHAT], cs_rhat(d, NULL), 0, 0);
    assert_near(r[BULK], cs_ess_bulk(d, NULL), 0, 0);
    assert_near(r[TAIL], cs_ess_tail(d, NULL), 0, 0);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 0, 0);
    assert_near(r[ESS], cs_ess_mean(d, NULL), 1e-12, 0);
    r = row(&f, 0, NULL); /* -U = x */
    assert_near(r[COL_MEAN], cs_mean(all, CHAINS * N), 1e-12, 1e-14);
    assert_near(r[MCSE], cs_mcse_mean(d, NULL), 1e-12, 0);
    close_feed(&f);
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
        feed f;
        const char *why;
        open_feed(&f);
        for (size_t i = 0; i < N; i++) {
            for (size_t c = 0; c < CHAINS; c++)
                x[c] = a * x[c] + normal();
            step(&f, x);
        }
        const double *r = row(&f, 1, &why);
        double ess = CHAINS * N * (1 - a) / (1 + a), sd = 1 / sqrt(1 - a * a);
        /* about 200 batches a chain: the error of the variance is 5 % */
        assert_near(r[ESS], ess, 0.25, 0);
        assert_near(r[COL_SD], sd, 0.03, 0);
        assert_near(r[MCSE], sd / sqrt(ess), 0.15, 0);
        assert_near(r[RHAT], 1, 0, 0.02);
        assert_true(r[BULK] <= 1024 * 1.5 && r[BULK] > 100);
        assert_true(fabs(r[COL_MEAN]) < 5 * r[MCSE]);
        assert_string_equal(why, "");
        close_feed(&f);
    }
}

/* Chains at different places never agree, however many steps they make: the
 * size is that of a handful of draws, and the reason says so. */
static void chains_apart_are_seen(void **state)
{
    feed f;
    const char *why;
    (void)state;
    open_feed(&f);
    for (size_t i = 0; i < 20000; i++) {
        double x[CHAINS];
        for (size_t c = 0; c < CHAINS; c++)
            x[c] = 10 * (double)c + normal();
        step(&f, x);
    }
    const double *r = row(&f, 1, &why);
    assert_true(r[RHAT] > 1.5);
    assert_true(r[ESS] < 20 && r[BULK] < 20);
    /* four means 0, 10, 20, 30: sd of the mean at least 12.9 / 2 */
    assert_true(r[MCSE] > 5);
    assert_non_null(strstr(why, "R-hat of"));
    close_feed(&f);
}

static void stuck_and_failed_chains_are_named(void **state)
{
    feed f;
    const char *why;
    (void)state;
    open_feed(&f);
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {normal(), normal(), 3, normal()};
        step(&f, x);
    }
    row(&f, 1, &why);
    assert_string_equal(why, "chain 3 is stuck: all its draws are equal");
    f.failed[2] = true;
    for (size_t i = 0; i < 200; i++) {
        double x[CHAINS] = {normal(), normal(), NAN, normal()};
        step(&f, x);
    }
    const double *r = row(&f, 1, &why);
    assert_string_equal(why, "1 of 4 chains failed; left out");
    assert_true(r[ESS] > 800 && r[RHAT] < 1.1);
    close_feed(&f);
}

static void nothing_seen_is_undefined(void **state)
{
    feed f;
    const char *why;
    (void)state;
    open_feed(&f);
    const double *r = row(&f, 1, &why);
    for (size_t k = 0; k < COLUMNS; k++)
        assert_true(isnan(r[k]));
    assert_string_equal(why, "there are no draws");
    close_feed(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_are_exact),
        cmocka_unit_test(long_runs_keep_counting),
        cmocka_unit_test(chains_apart_are_seen),
        cmocka_unit_test(stuck_and_failed_chains_are_named),
        cmocka_unit_test(nothing_seen_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
