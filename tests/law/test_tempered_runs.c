/* Tests counts and reports of runs of tempered kernels. Work is counted at
 * every temperature, but only the coldest chain contributes to draws and
 * estimates. */
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/support.h"
#include "support/tempered.h"

#include "support/small.h"

#include <string.h>

/* ---- counts -------------------------------------------------------------- */

static double number(const cs_flat *f, const char *key, size_t i)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "%s", key))
        fail_msg("%s is missing", key);
    assert_true(i < e.rows * e.cols);
    return e.data[i];
}

/* A ladder computes gradients at the start and in its steps. An accepted swap
 * changes the temperatures of two states, so a gradient is computed again for
 * each of these states. */
static void every_gradient_is_counted(void **state)
{
    (void)state;
    enum { STEPS = 500, LADDER = 4, MEETINGS = STEPS / 5 };
    static double memory[4096];
    const double value[] = {0.8, 0.5, 0, 0};
    cs_kernel k = around(cs_kernel_find("dmala"), value, LADDER, 8, 5);
    cs_run *r = open_ladders(&k, &small_masses, 3, 5);
    cs_flat f;
    double swaps = 0;
    assert_int_equal(cs_run_advance(r, STEPS + 1, NULL, NULL), CS_OK);
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
    /* each pair of rungs tries to swap states at every other exchange */
    for (size_t i = 0; i + 1 < LADDER; i++)
        swaps += number(&f, "swaps", i) * 3 * MEETINGS / 2;
    assert_true(swaps > 100);
    assert_near((double)cs_run_arm(r, 0).work.gradients,
                3 * LADDER * (STEPS + 2) + 2 * swaps, 0, 1e-6);
    assert_near(number(&f, "temperature", 0), 1, 0, 0);
    assert_near(number(&f, "temperature", 1), 2, 1e-12, 0);
    assert_near(number(&f, "temperature", LADDER - 1), 8, 1e-12, 0);
    cs_run_destroy(r);
    cs_kernel_release(&k);
}

static size_t heard[8];

static void hear(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    (void)self, (void)arm, (void)rows;
    heard[chain] += n;
}

/* Only the first chain of each ladder is recorded. */
static void hot_chains_are_not_recorded(void **state)
{
    (void)state;
    const double value[] = {0, 1};
    cs_kernel k = around(cs_kernel_find("gibbs"), value, 4, 8, 5);
    cs_run *r = open_ladders(&k, &small_masses, 2, 5);
    memset(heard, 0, sizeof heard);
    assert_int_equal(cs_run_arm(r, 0).group, 4);
    assert_int_equal(cs_run_sink(r, hear, NULL, 1, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, 700, NULL, NULL), CS_OK);
    for (size_t c = 0; c < 8; c++)
        assert_int_equal(heard[c], c % 4 == 0 ? 700 : 0);
    for (size_t c = 0; c < 8; c++)
        assert_int_equal(cs_run_draws(r, 0, c, NULL, NULL),
                         c % 4 == 0 ? 700 : 0);
    cs_run_destroy(r);
    cs_kernel_release(&k);
}

/* Tests a kernel that changes the temperature of a chain. The kept draws of the
 * chain are its states at temperature 1, with and without thinning. */
static void hot_states_are_not_kept(void **state)
{
    (void)state;
    enum { KEEP = 64, ROW = 1 + 2 + 1 };
    static double rows[KEEP * ROW];
    const cs_kernel inner = kernel_of("random_walk");
    const cs_value learn[] = {{.name = "learn", .given = true, .number = 0}};
    cs_arm_spec arm = {.name = "a"};
    cs_run_spec spec = {
        .arms = &arm, .n_arms = 1, .chains = 2, .seed = 3, .keep = KEEP};
    cs_run *r = NULL;
    assert_int_equal(cs_kernel_wrap(&arm.kernel,
                                    cs_kernel_find("simulated_tempering"),
                                    learn, 1, &inner, NULL),
                     CS_OK);
    assert_int_equal(
        cs_target_create(&small_banana, NULL, 0, &spec.target, NULL), 0);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    for (size_t k = 0; k < 2; k++) {
        size_t all = 0;
        assert_int_equal(cs_run_advance(r, k ? 2000 : KEEP, NULL, NULL), 0);
        for (size_t c = 0; c < 2; c++) {
            size_t n = cs_run_draws(r, 0, c, rows, NULL);
            assert_int_equal(n, cs_run_draws(r, 0, c, NULL, NULL));
            for (size_t i = 0; i < n; i++)
                assert_true(rows[i * ROW + 3] == 1 && isfinite(rows[i * ROW]));
            all += n;
        }
        assert_true(all > 0 && all < KEEP * 3 / 2);
    }
    cs_run_destroy(r);
    cs_kernel_release(&arm.kernel);
}

/* Without exchanges, the estimate from a ladder equals the estimate from the
 * cold chains of the ladder. */
static void hot_chains_do_not_count(void **state)
{
    (void)state;
    static double memory[2][1 << 15];
    const double value[] = {0, 1};
    const cs_probe_spec probes[] = {{.type = cs_probe_find("moments")},
                                    {.type = cs_probe_find("distance")},
                                    {.type = cs_probe_find("diagnostics")}};
    static const char *const same[] = {"arm/0/moments/mean", "arm/0/moments/sd",
                                       "arm/0/diagnostics/table"};
    cs_kernel k[] = {around(cs_kernel_find("gibbs"), value, 2, 8, 1000000),
                     kernel_of("gibbs")};
    cs_run *r[2];
    cs_flat f[2];
    for (size_t i = 0; i < 2; i++) {
        cs_arm_spec arm = {.name = "a", .kernel = k[i]};
        cs_run_spec spec = {.arms = &arm,
                            .n_arms = 1,
                            .chains = 1,
                            .probes = probes,
                            .n_probes = 3,
                            .seed = 3};
        assert_int_equal(
            cs_target_create(&small_masses, NULL, 0, &spec.target, NULL), 0);
        assert_int_equal(cs_run_create(&r[i], &spec, NULL), CS_OK);
        cs_target_release(spec.target);
        assert_int_equal(cs_run_advance(r[i], 3000, NULL, NULL), CS_OK);
        cs_flat_begin(&f[i], memory[i], sizeof memory[i]);
        cs_run_report(r[i], &f[i]);
        cs_run_destroy(r[i]);
    }
    for (size_t j = 0; j < sizeof same / sizeof *same; j++) {
        cs_flat_entry a, b;
        assert_true(cs_flat_find(f[0].base, f[0].used, &a, "%s", same[j]));
        assert_true(cs_flat_find(f[1].base, f[1].used, &b, "%s", same[j]));
        assert_true(a.rows == b.rows && a.cols == b.cols);
        assert_memory_equal(a.data, b.data, a.rows * a.cols * 8);
    }
    cs_kernel_release(&k[0]);
}

/* ---- refused settings ---------------------------------------------------- */

static void mistakes_are_explained(void **state)
{
    (void)state;
    cs_error err;
    const double value[] = {0, 1};
    const cs_kernel_type *type = cs_kernel_find("parallel_tempering");
    cs_kernel k, outer, plain = kernel_of("gibbs");
    assert_int_equal(cs_kernel_init(&k, type, NULL, 0, &err), CS_INPUT);
    assert_non_null(strstr(err.hint, "kernel ="));
    cs_value wrong = {
        .name = "rung", .kind = CS_PARAM_INT, .given = 1, .number = 2};
    assert_int_equal(cs_kernel_wrap(&k, type, &wrong, 1, &plain, &err),
                     CS_UNKNOWN);
    assert_non_null(strstr(err.hint, "rungs"));
    k = around(cs_kernel_find("gibbs"), value, 4, 8, 5);
    assert_int_equal(cs_kernel_wrap(&outer, type, NULL, 0, &k, &err),
                     CS_UNSUPPORTED);
    plain = kernel_of("wolff");
    assert_int_equal(cs_kernel_wrap(&outer, type, NULL, 0, &plain, &err),
                     CS_UNSUPPORTED);
    cs_target *t = target_of("gaussian");
    assert_int_equal(cs_kernel_fits(&k, t, &err), CS_UNSUPPORTED);
    cs_target_release(t);
    assert_int_equal(cs_target_create(&small_bits, NULL, 0, &t, NULL), 0);
    cs_arm_spec arm = {.name = "a", .kernel = k, .chains = 6};
    cs_run_spec spec = {.target = t, .arms = &arm, .n_arms = 1};
    cs_run *r;
    assert_int_equal(cs_run_create(&r, &spec, &err), CS_INPUT);
    assert_non_null(strstr(err.hint, "multiple of 4"));
    cs_target_release(t);
    cs_kernel_release(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_gradient_is_counted),
    cmocka_unit_test(hot_chains_are_not_recorded),
    cmocka_unit_test(hot_states_are_not_kept),
    cmocka_unit_test(hot_chains_do_not_count),
    cmocka_unit_test(mistakes_are_explained),
};
TESTS(test_tempered_runs)
