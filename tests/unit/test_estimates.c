/* Tests kernels whose acceptance ratio is an estimate: the trace of a step, and
 * the verdict of `check`. */
#include "support/estimating.h"
#include "support/small_rows.h"
#include "support/support.h"

#include "base/memory.h"
#include "check/check.h"
#include "probe/rows.h"
#include "run/arms/arms.h"
#include "run/run.h"
#include "run/summary/rows_drawn.h"
#include "run/summary/summary.h"
#include "run/views/ratio_watch.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { ROWS = 20, CHAINS = 5 };

static cs_run *run_of(cs_target *t, const cs_kernel *k)
{
    cs_run *run;
    cs_arm_spec arm = {.name = "a", .kernel = *k};
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .workers = 1,
                              .seed = 5};
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    return run;
}

static bool summary_says(cs_run *run, bool json, const char *words)
{
    cs_page p = {0};
    if (json)
        cs_summary_json(run, NULL, &p);
    else
        cs_summary_text(run, NULL, &p);
    bool says = strstr(p.text, words) != NULL;
    cs_free(p.text);
    return says;
}

/* ---- the record of a step ------------------------------------------------ */

static void the_parts_of_a_ratio_are_its_sum(void **state)
{
    cs_target *t = small_rows_of(ROWS, 0);
    const cs_kernel k = estimating_of(0.3, 0.25, 7);
    cs_run *run = run_of(t, &k);
    size_t seen = 0;
    (void)state;
    for (size_t step = 0; step < 50; step++) {
        assert_int_equal(cs_run_advance(run, 1, NULL, NULL), CS_OK);
        for (size_t c = 0; c < CHAINS; c++) {
            const cs_decision d = cs_run_chain(run, 0, c).last;
            assert_true(d.estimates == 1 && isnan(d.logp));
            assert_near(d.log_ratio,
                        d.logp_change + d.log_aux + d.log_q_back -
                            d.log_q_forward,
                        1e-12, 1e-12);
            seen += fabs(d.log_aux) > 0.3 && d.logp_change != 0;
        }
    }
    assert_true(seen > 50);
    cs_run_destroy(run);
    cs_target_release(t);
}

/* ---- check --------------------------------------------------------------- */

static void (*fault)(cs_move *m);

static void faulty_step(cs_move *m)
{
    estimating.step(m);
    fault(m);
}

static void estimate_left_out(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++)
        m->info.log_aux[l] -= 0.5;
}

static void prior_forgotten(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.log_ratio[l] -= m->info.logp_change[l];
        m->info.logp_change[l] = 0;
    }
}

static void logp_for_its_prior(cs_move *m)
{
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

static void keep_record(void *to, const cs_finding *f)
{
    if (!strcmp(f->law, "record"))
        *(cs_finding *)to = *f;
}

static cs_finding record_of(cs_target *t, const cs_kernel *k)
{
    cs_finding f = {.text = ""};
    cs_check c = {.say = keep_record, .to = &f, .seconds = 1, .law = "record"};
    cs_run *run = run_of(t, k);
    assert_int_equal(cs_check_run(run, &c, NULL), CS_OK);
    cs_run_destroy(run);
    return f;
}

static void an_estimate_is_no_error(void **state)
{
    cs_target *t = small_rows_of(ROWS, 0);
    cs_kernel k = estimating_of(0.3, 0, 7);
    (void)state;
    cs_finding f = record_of(t, &k);
    assert_int_equal(f.verdict, CS_HOLDS);
    assert_non_null(strstr(f.text, "the other term is an estimate"));
    k = estimating_of(0.3, 0.25, 7);
    f = record_of(t, &k);
    assert_int_equal(f.verdict, CS_HOLDS);
    assert_non_null(strstr(f.text, "root mean square error of 0.25"));
    cs_target_release(t);
}

static void what_is_not_estimated_is_computed_again(void **state)
{
    static const struct {
        void (*fault)(cs_move *m);
        const char *words;
    } faults[] = {
        {estimate_left_out, "not the sum of its parts"},
        {prior_forgotten, "the change of the log prior differs"},
        {logp_for_its_prior, "the log prior of a state differs"},
    };
    cs_target *t = small_rows_of(ROWS, 0);
    cs_kernel_type broken = estimating;
    cs_kernel k = estimating_of(0.3, 0, 7);
    (void)state;
    k.type = &broken;
    broken.step = faulty_step;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fault = faults[i].fault;
        cs_finding f = record_of(t, &k);
        assert_int_equal(f.verdict, CS_BROKEN);
        assert_non_null(strstr(f.text, faults[i].words));
    }
    cs_target_release(t);
}

/* ---- rows drawn ---------------------------------------------------------- */

static const double *entry_of(const cs_flat *f, const char *key, size_t n)
{
    cs_flat_entry e;
    assert_true(cs_flat_find(f->base, f->used, &e, "%s", key));
    assert_int_equal(e.rows * e.cols, n);
    return e.data;
}

/* Compares the reported numbers of rows with sums of the numbers of rows that
 * the kernel draws at each step. */
static void rows_are_counted(void **state)
{
    enum { STEPS = 300, RECENT = 128, BYTES = 1 << 18 };
    cs_target *t = small_rows_of(ROWS, 0);
    cs_arm_spec arm = {.name = "a", .kernel = estimating_of(0.3, 0, 7)};
    cs_probe_spec probe = {.type = cs_probe_find("rows")};
    cs_run *run;
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .workers = 1,
                              .seed = 5,
                              .probes = &probe,
                              .n_probes = 1};
    cs_flat f;
    void *scratch = cs_alloc(BYTES, 1);
    double sum = 0, squares = 0, most = 0, kept = 0, counts[30] = {0};
    (void)state;
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(run, STEPS, NULL, NULL), CS_OK);
    cs_flat_begin(&f, scratch, BYTES);
    assert_true(cs_run_report_one(run, 0, "rows", "", &f));
    for (uint64_t c = 0; c < CHAINS; c++)
        for (uint64_t k = 1; k <= STEPS; k++) {
            double drawn = estimating_rows(k, c);
            sum += drawn;
            squares += drawn * drawn;
            most = fmax(most, drawn);
            kept += floor(drawn / 3);
            counts[(size_t)drawn]++;
        }
    double n = CHAINS * STEPS, mean = sum / n;
    const cs_row_rows *all = (const cs_row_rows *)entry_of(&f, "drawn", 4);
    assert_near(all->steps, n, 0, 0);
    assert_near(all->mean, mean, 1e-12, 0);
    assert_near(all->sd, sqrt(squares / n - mean * mean), 1e-9, 0);
    assert_near(all->most, most, 0, 0);
    all = (const cs_row_rows *)entry_of(&f, "kept", 4);
    assert_near(all->mean, kept / n, 1e-12, 0);
    assert_near(*entry_of(&f, "of", 1), ROWS, 0, 0);
    const double *time = entry_of(&f, "recent", RECENT);
    const double *now = entry_of(&f, "drawn/recent", CHAINS * RECENT);
    for (size_t i = 0; i < CHAINS * RECENT; i++)
        assert_near(now[i],
                    estimating_rows((uint64_t)time[i % RECENT], i / RECENT), 0,
                    0);
    const double *edge = entry_of(&f, "edges", (size_t)most + 2);
    const double *seen = entry_of(&f, "drawn/counts", (size_t)most + 1);
    for (size_t b = 0; b <= (size_t)most; b++) {
        assert_near(edge[b], (double)b - 0.5, 0, 0);
        assert_near(seen[b], counts[b], 0, 0);
    }
    assert_true(summary_says(run, false, "rows drawn: "));
    assert_true(summary_says(run, true, "\"rows_kept\": "));
    cs_free(scratch);
    cs_run_destroy(run);
    cs_target_release(t);
}

/* ---- true ratios --------------------------------------------------------- */

static void advance(cs_run *run, uint64_t n)
{
    assert_int_equal(cs_run_advance(run, n, NULL, NULL), CS_OK);
}

/* Compares the reported ratios with the true ratios. The error `off` of the
 * kernel is 0.25, so the estimate always differs by 1/4. */
static void compare_ratios(const cs_run *run, size_t chain, uint64_t from)
{
    cs_ratio row[CS_RATIOS];
    size_t n = cs_run_ratios(run, 0, chain, row);
    uint64_t steps = cs_run_steps(run);
    assert_int_equal(n, steps - from);
    for (size_t i = 0; i < n; i++) {
        assert_near(row[i].step, (double)(from + 1 + i), 0, 0);
        assert_near(row[i].estimate - row[i].truth, 0.25, 1e-9, 1e-9);
    }
    cs_chain_view v = cs_run_decision(run, 0, chain);
    assert_true(n == 0 || row[n - 1].estimate == v.last.log_ratio);
}

/* Queries the true ratios of chain 3 and then of chain 1, in a run with one
 * chain per block and in a run with larger blocks. The results of the two runs
 * agree to the last bit. The arm's work is the same as without queries. */
static void true_ratios_change_nothing(void **state)
{
    enum { FIRST = 40, SECOND = 200, THIRD = 300 };
    cs_target *t = small_rows_of(ROWS, 0);
    const cs_kernel k = estimating_of(0.3, 0.25, 7);
    cs_run *plain = run_of(t, &k), *seen = run_of(t, &k);
    (void)state;
    advance(plain, THIRD);
    advance(seen, FIRST);
    assert_int_equal(cs_run_compare(seen, 0, 3, true, NULL), CS_OK);
    advance(seen, SECOND - FIRST);
    compare_ratios(seen, 3, FIRST);
    assert_int_equal(cs_run_compare(seen, 0, 1, true, NULL), CS_OK);
    assert_int_equal(cs_run_compare(seen, 0, 1, true, NULL), CS_OK);
    advance(seen, 7);
    compare_ratios(seen, 1, SECOND);
    cs_ratio row[CS_RATIOS];
    assert_int_equal(cs_run_ratios(seen, 0, 3, row), 0);
    cs_arm_view before = cs_run_arm(seen, 0);
    assert_true(before.observed.log_densities > SECOND - FIRST);
    assert_int_equal(cs_run_compare(seen, 0, 1, false, NULL), CS_OK);
    advance(seen, THIRD - SECOND - 7);
    cs_arm_view a = cs_run_arm(plain, 0), b = cs_run_arm(seen, 0);
    assert_true(b.observed.log_densities == before.observed.log_densities);
    assert_true(a.work.log_densities == b.work.log_densities &&
                a.work.data_terms == b.work.data_terms);
    for (size_t c = 0; c < CHAINS; c++) {
        double x[SMALL_ROWS_DIM];
        memcpy(x, cs_run_chain(plain, 0, c).x, sizeof x);
        assert_memory_equal(x, cs_run_chain(seen, 0, c).x, sizeof x);
    }
    cs_run_destroy(plain);
    cs_run_destroy(seen);
    cs_target_release(t);
}

/* ---- bounds that are too loose ------------------------------------------- */

static void bounds_too_loose_are_said(void **state)
{
    static const struct {
        double expects;
        const char *words;
    } cases[] = {
        {ROWS / 2 - 0.5, NULL},
        {NAN, NULL},
        {ROWS / 2, "draws on average 10 of 20 rows per step, and"},
        {12000, "draws 12 000 rows per step on average, more than all 20"},
        {1234567, "draws 1 234 567 rows per step"},
    };
    cs_target *t = small_rows_of(ROWS, 0);
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cs_kernel k = estimating_of(0.3, 0, cases[i].expects);
        const char *words = cases[i].words;
        cs_run *run = run_of(t, &k);
        assert_int_equal(cs_run_loose_bounds(run, 0, text, sizeof text),
                         words != NULL);
        assert_true(!words || strstr(text, words));
        assert_int_equal(cs_run_advance(run, 1, NULL, NULL), CS_OK);
        assert_int_equal(summary_says(run, false, "bounds are too loose"),
                         words != NULL);
        assert_int_equal(summary_says(run, true, "bounds are too loose"),
                         words != NULL);
        assert_int_equal(summary_says(run, true, "\"expected_rows\": "),
                         !isnan(cases[i].expects));
        cs_run_destroy(run);
    }
    cs_target_release(t);
}

/* ---- a distribution known only on a grid --------------------------------- */

/* For a distribution on a ball, sums over a grid are inaccurate at the edge of
 * the ball. No kernel may be rejected because of this inaccuracy. The seed is
 * fixed. */
static void a_grid_is_no_proof_at_its_edge(void **state)
{
    enum { STEPS = 20000 };
    const cs_value given[] = {
        {.name = "rows", .kind = CS_PARAM_INT, .given = 1, .number = 50},
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 2},
        {.name = "radius", .given = 1, .number = 1.4}};
    cs_target *t;
    const cs_target_type *type = cs_target_find("robust_regression");
    (void)state;
    assert_int_equal(cs_target_create(type, given, 3, &t, NULL), CS_OK);
    double error = cs_enumeration_error(cs_enumeration_of(t));
    assert_true(error > 0.02 && error < 0.2);
    cs_arm_spec arm = {.name = "a"};
    const cs_value step = {.name = "step", .given = 1, .number = 0.2};
    assert_int_equal(cs_kernel_init(&arm.kernel, cs_kernel_find("random_walk"),
                                    &step, 1, NULL),
                     CS_OK);
    const cs_probe_spec probes[] = {{.type = cs_probe_find("distance")},
                                    {.type = cs_probe_find("diagnostics")}};
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = 4,
                              .workers = 1,
                              .seed = 5,
                              .keep = 20000,
                              .probes = probes,
                              .n_probes = 2};
    cs_run *run;
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(run, STEPS, NULL, NULL), CS_OK);
    assert_true(summary_says(run, false, "distance from the exact answer"));
    assert_false(summary_says(run, false, "differs from its exact law"));
    cs_run_destroy(run);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_parts_of_a_ratio_are_its_sum),
    cmocka_unit_test(an_estimate_is_no_error),
    cmocka_unit_test(rows_are_counted),
    cmocka_unit_test(true_ratios_change_nothing),
    cmocka_unit_test(bounds_too_loose_are_said),
    cmocka_unit_test(a_grid_is_no_proof_at_its_edge),
    cmocka_unit_test(what_is_not_estimated_is_computed_again),
};
TESTS(test_estimates)
