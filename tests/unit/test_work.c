/* Tests the counted work of kernels that use a part of the data: counts,
 * budgets, and the values that the summary and the figures in Lua use. */
#include "base/memory.h"
#include "chain/block.h"
#include "run/arms/limits.h"
#include "run/run.h"
#include "run/summary/summary.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/small_rows.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 20, BATCH = 3, CHAINS = 5, STEPS = 40 };

/* ---- a kernel that evaluates only batches of rows ---- */

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return 2 * t->space.dim;
}

static void look(cs_move *m)
{
    static const uint32_t row[3 * CS_PAD * 8] = {1, 4, 7};
    _Alignas(CS_ALIGN) double logp[3 * CS_PAD * 8];
    size_t first[CS_PAD * 8 + 1];
    double *prior = m->scratch, *g = prior + m->dim * m->lanes;
    for (size_t l = 0; l <= m->live; l++)
        first[l] = l * BATCH;
    cs_eval_prior(m->eval, m->x, logp, prior);
    cs_eval_slope(m->eval, m->x, &(cs_batch){.row = row, .first = first}, logp,
                  g);
    for (size_t i = 0; i < m->dim * m->lanes; i++)
        m->x[i] += 0.01 * (prior[i] + ROWS / (double)BATCH * g[i]);
}

static void init(cs_move *m)
{
    (void)m;
}

static void step(cs_move *m)
{
    look(m);
    m->info.proposal = NULL;
    for (size_t l = 0; l < m->lanes; l++) {
        m->info.log_ratio[l] = m->info.logp_change[l] = 0;
        m->info.accepted[l] = m->info.moved[l] = true;
    }
}

static cs_logp_kind no_logp(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return CS_LOGP_NONE;
}

static const cs_kernel_type batches = {.name = "batches",
                                       .title = "Batches",
                                       .spaces = CS_CONTINUOUS,
                                       .flags = CS_KERNEL_PARTS,
                                       .scratch_words = scratch_words,
                                       .init = init,
                                       .step = step,
                                       .logp = no_logp};

/* ---- runs ---- */

/* Opens a run with some of three arms, which evaluate batches, full gradients
 * and full densities. */
static cs_status open_run(cs_target *t, size_t from, size_t to,
                          cs_budget budget, cs_run **run, cs_error *err)
{
    const cs_arm_spec arms[] = {
        {.name = "part", .kernel = {.type = &batches}},
        {.name = "whole", .kernel = kernel_of("mala")},
        {.name = "walk", .kernel = kernel_of("random_walk")}};
    cs_run_spec spec = {.target = t,
                        .arms = arms + from,
                        .n_arms = to - from,
                        .chains = CHAINS,
                        .seed = 3,
                        .budget = budget,
                        .workers = 1,
                        .keep = 16,
                        .rewind_bytes = 1 << 20};
    *err = (cs_error){0};
    return cs_run_create(run, &spec, err);
}

static cs_run *opened(cs_target *t, size_t from, size_t to, cs_budget budget)
{
    cs_run *r = NULL;
    cs_error err;
    if (open_run(t, from, to, budget, &r, &err) != CS_OK)
        fail_msg("%s", err.what);
    return r;
}

static void rows_are_counted(void **state)
{
    (void)state;
    cs_target *t = small_rows_of(ROWS, 0);
    cs_run *r = opened(t, 0, 3, (cs_budget){.steps = STEPS});
    run_steps(r, STEPS);
    cs_work part = cs_run_arm(r, 0).work, whole = cs_run_arm(r, 1).work;
    assert_int_equal(part.data_terms, CHAINS * STEPS * BATCH);
    assert_int_equal(part.log_densities, 0);
    assert_int_equal(part.gradients, 0);
    /* one pass over the data for the start, and one for MALA's gradient at the
     * start */
    assert_int_equal(whole.data_terms, CHAINS * (STEPS + 2) * ROWS);
    assert_near(cs_work_passes(&part, t, CHAINS), STEPS * BATCH / (double)ROWS,
                1e-15, 0);
    assert_near(cs_work_passes(&whole, t, CHAINS), STEPS + 2, 1e-15, 0);
    assert_near(cs_work_evaluations(&part, t),
                CHAINS * STEPS * BATCH / (double)ROWS, 1e-15, 0);
    cs_run_destroy(r);
    cs_target_release(t);
    t = target_of("gaussian");
    assert_true(isnan(cs_work_passes(&whole, t, CHAINS)));
    cs_target_release(t);
}

/* The arms are compared at equal work. Each arm ends at the same number of data
 * terms, except for the work of its last step. */
static void a_race_by_data_terms(void **state)
{
    (void)state;
    enum { TERMS = CHAINS * ROWS * 50 };
    cs_target *t = small_rows_of(ROWS, 0);
    cs_run *r = opened(t, 0, 3, (cs_budget){.data_terms = TERMS});
    uint64_t done;
    assert_int_equal(cs_run_advance(r, 1000000, &done, NULL), CS_OK);
    assert_true(cs_run_finished(r));
    for (size_t i = 0; i < 3; i++) {
        cs_arm_view a = cs_run_arm(r, i);
        size_t each = i ? ROWS : BATCH;
        assert_true(a.work.data_terms >= TERMS);
        assert_true(a.work.data_terms < TERMS + CHAINS * each);
    }
    assert_int_equal(cs_run_arm(r, 0).steps, (ROWS * 50 + BATCH - 1) / BATCH);
    assert_int_equal(cs_run_arm(r, 1).steps, 48);
    assert_int_equal(cs_run_arm(r, 2).steps, 49);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void refused(cs_target *t, size_t from, size_t to, cs_budget budget,
                    const char *what, const char *hint)
{
    cs_run *r = NULL;
    cs_error err;
    assert_int_equal(open_run(t, from, to, budget, &r, &err), CS_INPUT);
    if (!strstr(err.what, what) || !strstr(err.hint, hint))
        fail_msg("\"%s\" (%s) lacks \"%s\" or \"%s\"", err.what, err.hint, what,
                 hint);
}

static void endless_budgets_are_refused(void **state)
{
    (void)state;
    cs_target *rows = small_rows_of(ROWS, 0), *none = target_of("gaussian");
    const cs_budget gradients = {.gradients = 1000},
                    densities = {.log_densities = 1000},
                    terms = {.data_terms = 1000},
                    both = {.gradients = 1000, .log_densities = 1000};
    refused(rows, 0, 1, gradients,
            "kernel batches of arm part uses no gradients",
            "budget = { data_terms = N or steps = N }");
    refused(rows, 0, 3, both,
            "of arm part uses no gradients and no log densities",
            "data_terms = N");
    refused(rows, 0, 1, densities, "uses no log densities", "data_terms = N");
    /* If the target has rows, all arms use data terms. The hint therefore names
     * data terms as the unit. */
    refused(rows, 2, 3, gradients, "random_walk of arm walk uses no gradients",
            "data_terms = N");
    refused(none, 2, 3, gradients, "random_walk of arm walk uses no gradients",
            "log_densities = N");
    refused(none, 1, 2, terms,
            "mala of arm whole uses no data terms, because target gaussian has "
            "no rows of data",
            "gradients = N");
    /* A budget that also has a limit in another unit is accepted. */
    cs_run_destroy(opened(rows, 0, 1, (cs_budget){.gradients = 9, .steps = 9}));
    cs_run_destroy(
        opened(rows, 0, 1, (cs_budget){.gradients = 9, .data_terms = 9}));
    cs_target_release(rows);
    cs_target_release(none);
}

static void has(const cs_page *p, const char *what)
{
    if (!strstr(p->text, what))
        fail_msg("\"%s\" is not in\n%s", what, p->text);
}

static void the_summary_says_them(void **state)
{
    (void)state;
    cs_target *t = small_rows_of(ROWS, 0), *none = target_of("gaussian");
    cs_run *r = opened(t, 0, 2, (cs_budget){.steps = STEPS});
    cs_page text = {0}, json = {0}, other = {0};
    run_steps(r, STEPS);
    cs_summary_text(r, NULL, &text);
    cs_summary_json(r, NULL, &json);
    has(&text, "0 log densities, 0 gradients, 600 data terms (3 per step, 6 "
               "passes per chain)");
    has(&text, "4200 data terms (21 per step, 42 passes per chain)");
    has(&json, "\"data_terms\": 600, \"simulations\": 0, \"site_updates\": 0, "
               "\"passes\": 6,");
    has(&json, "\"data_terms\": 4200, \"simulations\": 0, \"site_updates\": 0, "
               "\"passes\": 42,");
    cs_run_destroy(r);
    r = opened(none, 1, 2, (cs_budget){.steps = STEPS});
    cs_summary_text(r, NULL, &other);
    assert_null(strstr(other.text, "data terms"));
    cs_summary_json(r, NULL, &other);
    has(&other, "\"data_terms\": 0, \"simulations\": 0, \"site_updates\": 0, "
                "\"passes\": null,");
    cs_run_destroy(r);
    cs_free(text.text);
    cs_free(json.text);
    cs_free(other.text);
    cs_target_release(t);
    cs_target_release(none);
}

/* ---- trajectories of unequal length ---- */

static const cs_target_type *gaussian;
static uint64_t calls;

/* Computes the gradient like a target that evaluates only live lanes. In all
 * other lanes the gradient is 0. */
static void flat_behind(const cs_target *t, const cs_point *at, double *logp,
                        double *g)
{
    calls++;
    gaussian->gradient(t, at, logp, g);
    for (size_t d = 0; d < t->space.dim; d++)
        for (size_t l = at->live; l < at->lanes; l++)
            g[d * at->lanes + l] = 0;
}

static void no_gradient_that_no_chain_asked_for(void **state)
{
    (void)state;
    cs_error err;
    cs_target *t;
    cs_kernel k;
    cs_block *b;
    gaussian = cs_target_find("gaussian");
    cs_target_type flat = *gaussian;
    flat.gradient = flat_behind;
    flat.flags &= ~(unsigned)CS_TARGET_PACKED;
    assert_int_equal(cs_target_create(gaussian, NULL, 0, &t, &err), CS_OK);
    t->type = &flat;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("nuts"), NULL, 0, &err),
                     CS_OK);
    k.values[0] = 0.5;
    assert_int_equal(cs_block_create(&b, t, &k, 1, 0, 3, NULL, 0, &err), CS_OK);
    assert_int_equal(cs_block_start(b, NULL, &err), CS_OK);
    calls = 0;
    cs_block_run(b, &(cs_driven){0}, STEPS, NULL);
    assert_true(calls >= STEPS);
    assert_true(calls <= b->eval.work.gradients);
    cs_block_destroy(b);
    t->type = gaussian;
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_are_counted),
    cmocka_unit_test(a_race_by_data_terms),
    cmocka_unit_test(endless_budgets_are_refused),
    cmocka_unit_test(the_summary_says_them),
    cmocka_unit_test(no_gradient_that_no_chain_asked_for),
};
TESTS(test_work)
