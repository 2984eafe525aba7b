/* Tests weighted draws, from the step to the summary. The kernel copies given
 * numbers and log weights into the chains. */
#include "support/support.h"

#include "base/memory.h"
#include "kernel/accept.h"
#include "probe/rows.h"
#include "run/draws/kept_draws.h"
#include "run/draws/recall.h"
#include "run/draws/sample.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/save.h"
#include "run/summary/summary.h"
#include "run/views/reports.h"
#include "stat/weighted.h"

#include <string.h>

enum { CHAINS = 4, STEPS = 600, DIM = 2, ROOM = 1 << 20, LEAD = 4 };
enum { ALL = CHAINS * STEPS };

/* Returns the log weight of a chain's draw at a step. */
typedef double (*weight)(uint64_t step, uint64_t chain);
static weight fed;

/* Returns a uniform number by splitmix64, independent of src. */
static double uniform(uint64_t step, uint64_t chain, uint64_t k)
{
    uint64_t z = (step * 61 + chain) * 1009 + k;
    z *= UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double number(uint64_t step, uint64_t chain, size_t d)
{
    return sqrt(-2 * log(uniform(step, chain, 2 * d))) *
           cos(6.283185307179586 * uniform(step, chain, 2 * d + 1));
}

static void feed(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++) {
        uint64_t chain = m->streams.chain[l < m->live ? l : 0];
        for (size_t d = 0; d < m->dim; d++)
            m->x[d * m->lanes + l] = number(m->streams.step, chain, d);
        m->info.accepted[l] = m->info.moved[l] = true;
        if (m->info.log_weight)
            m->info.log_weight[l] = fed(m->streams.step, chain);
    }
    cs_finish_moved(m);
}

static double of_all_sizes(uint64_t step, uint64_t chain)
{
    return 3 * uniform(step, chain, 99) + 2 * (double)chain;
}

static double moved_by_chains(uint64_t step, uint64_t chain)
{
    return of_all_sizes(step, chain) + (chain % 2 ? 1 : -1) * 1e6;
}

static double some_are_none(uint64_t step, uint64_t chain)
{
    return (step + chain) % 3 ? of_all_sizes(step, chain) : -HUGE_VAL;
}

static double as_far_as_can_be(uint64_t step, uint64_t chain)
{
    return 2e6 * uniform(step, chain, 99) - 1e6;
}

static double alike(uint64_t step, uint64_t chain)
{
    (void)step;
    return 5.5 * (double)chain - 1e5;
}

static double no_number(uint64_t step, uint64_t chain)
{
    (void)chain;
    return step == 7 ? (double)NAN : -(double)step;
}

/* The rows passed to the sink. */
typedef struct written {
    double row[CHAINS][STEPS][LEAD + DIM];
    size_t n[CHAINS];
} written;

static void keep_rows(void *self, size_t arm, size_t chain, const double *rows,
                      size_t n)
{
    written *s = self;
    (void)arm;
    memcpy(s->row[chain][s->n[chain]], rows, n * sizeof s->row[0][0]);
    s->n[chain] += n;
}

typedef struct subject {
    cs_run *run;
    cs_target *target;
    cs_flat f;
    written sunk;
} subject;

static subject subjects[2];

/* Opens a run whose draws have these weights; with `what` NULL they are
 * unweighted. */
static subject *open_fed(size_t which, weight what, size_t lanes)
{
    static cs_kernel_type type[2];
    static unsigned char buffer[2][ROOM];
    const cs_value given = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    const cs_probe_spec probe = {.type = cs_probe_find("diagnostics")};
    cs_arm_spec arm = {.name = "a"};
    subject *s = &subjects[which];
    cs_kernel_type *t = &type[what != NULL];
    memset(s, 0, sizeof *s);
    fed = what;
    *t = *cs_kernel_find("random_walk");
    assert_int_equal(cs_kernel_init(&arm.kernel, t, NULL, 0, NULL), CS_OK);
    t->name = what ? "weighed" : "plain";
    t->step = feed;
    t->flags |= what ? CS_KERNEL_WEIGHS : 0;
    assert_int_equal(cs_target_create(cs_target_find("gaussian"), &given, 1,
                                      &s->target, NULL),
                     CS_OK);
    const cs_run_spec spec = {.target = s->target,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .probes = &probe,
                              .n_probes = 1,
                              .workers = 1,
                              .block_lanes = lanes,
                              .keep = STEPS};
    assert_int_equal(cs_run_create(&s->run, &spec, NULL), CS_OK);
    cs_flat_begin(&s->f, buffer[which], ROOM);
    return s;
}

static void move(subject *s, uint64_t steps)
{
    assert_int_equal(cs_run_advance(s->run, steps, NULL, NULL), CS_OK);
    cs_flat_begin(&s->f, s->f.base, ROOM);
    assert_true(cs_run_report_one(s->run, 0, "diagnostics", "", &s->f));
    assert_false(s->f.full);
}

static subject *after_all(size_t which, weight what)
{
    subject *s = open_fed(which, what, 8);
    cs_run_judge_all(s->run, 1);
    assert_int_equal(cs_run_sink(s->run, keep_rows, &s->sunk, 1, NULL), CS_OK);
    move(s, STEPS);
    return s;
}

static void close_fed(subject *s)
{
    cs_run_destroy(s->run);
    cs_target_release(s->target);
}

static cs_flat_entry entry(const subject *s, const char *key)
{
    cs_flat_entry e;
    if (!cs_flat_find(s->f.base, s->f.used, &e, "%s", key))
        fail_msg("no %s", key);
    return e;
}

static const cs_figures *row(const subject *s, size_t k)
{
    cs_flat_entry e = entry(s, "table");
    const cs_figures *rows = CS_ENTRY_ROWS(e, cs_figures);
    assert_true(rows && k < e.rows && e.rows == 1 + DIM);
    return rows + k;
}

/* ---- records ------------------------------------------------------------- */

static void draws_carry_their_weights(void **state)
{
    static double kept[STEPS * (1 + DIM)], log_weight[STEPS];
    const char *const *name;
    subject *s = after_all(0, some_are_none);
    (void)state;
    assert_int_equal(cs_run_columns(s->run, 0, &name), LEAD);
    assert_string_equal(name[3], "log_weight__");
    assert_true(cs_run_weighs(s->run, 0));
    for (size_t c = 0; c < CHAINS; c++) {
        size_t n = 0,
               all = cs_run_weighed_draws(s->run, 0, c, kept, log_weight, NULL);
        for (uint64_t k = 1; k <= STEPS; k++) {
            double w = some_are_none(k, c);
            if (w == -HUGE_VAL)
                continue;
            const double *r = s->sunk.row[c][n], *own = kept + n * (1 + DIM);
            assert_true(r[3] == w && log_weight[n] == w);
            assert_true(own[0] == r[0] && isfinite(r[0]));
            for (size_t d = 0; d < DIM; d++)
                assert_true(r[LEAD + d] == number(k, c, d) &&
                            own[1 + d] == r[LEAD + d]);
            n++;
        }
        assert_int_equal(s->sunk.n[c], n);
        assert_int_equal(all, n);
    }
    close_fed(s);
    s = after_all(0, NULL);
    assert_int_equal(cs_run_columns(s->run, 0, &name), LEAD - 1);
    assert_false(cs_run_weighs(s->run, 0));
    close_fed(s);
}

/* ---- figures ------------------------------------------------------------- */

/* Computes weighted sums over the draws in the sink. The weights of each chain
 * have the same sum. */
static void by_hand(const subject *s, size_t column, double *mean, double *sd,
                    double *kish)
{
    static long double share[CHAINS][STEPS];
    long double sum = 0, squares = 0, spread = 0;
    for (size_t c = 0; c < CHAINS; c++) {
        const double(*r)[LEAD + DIM] = s->sunk.row[c];
        long double all = 0;
        for (size_t i = 0; i < s->sunk.n[c]; i++)
            all += share[c][i] = expl(r[i][3] - r[0][3]);
        for (size_t i = 0; i < s->sunk.n[c]; i++) {
            share[c][i] /= all * CHAINS;
            sum += share[c][i] * r[i][column];
            squares += share[c][i] * share[c][i];
        }
    }
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < s->sunk.n[c]; i++) {
            long double off = s->sunk.row[c][i][column] - sum;
            spread += share[c][i] * off * off;
        }
    *mean = (double)sum;
    *kish = (double)(1 / squares);
    *sd = (double)sqrtl(spread / (1 - squares));
}

static void figures_are_sums_over_the_draws(void **state)
{
    static const weight cases[] = {of_all_sizes, moved_by_chains,
                                   some_are_none};
    static const size_t column[] = {0, LEAD, LEAD + 1};
    double mean, sd, kish;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        subject *s = after_all(0, cases[i]);
        for (size_t k = 0; k < 1 + DIM; k++) {
            by_hand(s, column[k], &mean, &sd, &kish);
            assert_near(row(s, k)->mean, mean, 1e-8, 1e-10);
            assert_near(row(s, k)->sd, sd, 1e-8, 0);
            assert_near(row(s, k)->ess * row(s, k)->mcse * row(s, k)->mcse,
                        sd * sd, 1e-8, 0);
            assert_near(row(s, k)->ess, kish, 0.4, 0);
            const cs_row_steps *all =
                (const cs_row_steps *)entry(s, "all").data;
            double sign = k ? 1 : -1; /* the probe stores -log p */
            assert_near(sign * all[k].mean, mean, 1e-8, 1e-10);
            assert_near(all[k].sd, sd, 1e-8, 0);
            assert_near(all[k].mcse, row(s, k)->mcse, 0.2, 0);
            assert_true(isnan(row(s, k)->rhat) && isnan(row(s, k)->bulk) &&
                        isnan(row(s, k)->tail));
        }
        assert_near(entry(s, "kish").data[0], kish, 1e-8, 0);
        assert_string_equal(entry(s, "reason").text, cs_why_weights);
        close_fed(s);
    }
}

/* A copy of a run gives the same weighted report as the run, on any thread. */
static void aside_they_are_the_same(void **state)
{
    subject *s = after_all(0, of_all_sizes);
    cs_copy c = {.run = NULL};
    (void)state;
    cs_quantile_figures q[1 + DIM][3];
    cs_figures f[1 + DIM];
    double kish = entry(s, "kish").data[0];
    memcpy(q, entry(s, "quantiles").data, sizeof q);
    memcpy(f, row(s, 0), sizeof f);
    assert_int_equal(cs_copy_take(&c, s->run, 0, 0, NULL), CS_OK);
    cs_flat_begin(&s->f, s->f.base, ROOM);
    cs_copy_report(&c, &s->f);
    assert_memory_equal(entry(s, "arm/0/diagnostics/table").data, f, sizeof f);
    assert_memory_equal(entry(s, "arm/0/diagnostics/quantiles").data, q,
                        sizeof q);
    assert_true(entry(s, "arm/0/diagnostics/kish").data[0] == kish);
    cs_copy_fini(&c);
    close_fed(s);
}

/* A constant added to the log weights of one chain changes nothing. */
static void a_constant_of_a_chain_changes_nothing(void **state)
{
    subject *a = after_all(0, of_all_sizes), *b = after_all(1, moved_by_chains);
    (void)state;
    for (size_t k = 0; k < 1 + DIM; k++) {
        assert_near(row(a, k)->mean, row(b, k)->mean, 1e-8, 1e-10);
        assert_near(row(a, k)->sd, row(b, k)->sd, 1e-8, 0);
        assert_near(row(a, k)->mcse, row(b, k)->mcse, 1e-8, 0);
    }
    for (size_t k = 0; k < (1 + DIM) * 9; k++)
        assert_near(entry(a, "quantiles").data[k],
                    entry(b, "quantiles").data[k], 1e-8, 1e-10);
    close_fed(a);
    close_fed(b);
}

/* If one draw of each chain has all the weight of the chain, the result depends
 * only on these draws, for log weights of any size. */
static void log_weights_may_be_far_apart(void **state)
{
    subject *s = after_all(0, as_far_as_can_be);
    double mean = 0;
    (void)state;
    for (size_t c = 0; c < CHAINS; c++) {
        size_t at = 0;
        for (size_t i = 0; i < s->sunk.n[c]; i++)
            at = s->sunk.row[c][i][3] > s->sunk.row[c][at][3] ? i : at;
        mean += s->sunk.row[c][at][LEAD] / CHAINS;
    }
    assert_near(row(s, 1)->mean, mean, 1e-9, 0);
    assert_near(entry(s, "kish").data[0], CHAINS, 1e-9, 0);
    assert_non_null(strstr(entry(s, "words").text, "the weights are uneven"));
    close_fed(s);
}

/* With equal weights the results have the same bits as for unweighted draws. */
static void equal_weights_are_none(void **state)
{
    subject *a = after_all(0, alike), *b = after_all(1, NULL);
    cs_flat_entry e;
    (void)state;
    for (size_t k = 0; k < 1 + DIM; k++)
        assert_memory_equal(row(a, k), row(b, k), sizeof(cs_figures));
    assert_string_equal(entry(a, "words").text, entry(b, "words").text);
    assert_false(cs_flat_find(a->f.base, a->f.used, &e, "kish"));
    close_fed(a);
    close_fed(b);
    a = after_all(0, no_number);
    assert_string_equal(entry(a, "reason").text,
                        "a log weight is not a number");
    assert_true(isnan(row(a, 1)->mean));
    close_fed(a);
}

/* Reports of a single scalar, and of a sample of the chains, are weighted
 * too. */
static void samples_are_weighed(void **state)
{
    subject *s = after_all(0, of_all_sizes);
    const cs_run_sample two = {.groups = CHAINS, .n = 2, .group = {1, 3}};
    cs_figures all, some;
    double sum = 0;
    (void)state;
    assert_true(cs_run_diagnosis(s->run, 0, 1, NULL, false, &all));
    assert_memory_equal(&all, row(s, 1), sizeof all);
    assert_true(cs_run_diagnosis(s->run, 0, 1, &two, false, &some));
    for (size_t c = 1; c < CHAINS; c += 2) {
        double w[STEPS], x[STEPS];
        for (size_t i = 0; i < STEPS; i++) {
            w[i] = exp(s->sunk.row[c][i][3]);
            x[i] = s->sunk.row[c][i][LEAD];
        }
        sum += cs_weighted_mean(x, w, STEPS) / 2;
    }
    assert_near(some.mean, sum, 1e-10, 0);
    close_fed(s);
}

static void the_summary_says_so(void **state)
{
    subject *s = after_all(0, of_all_sizes);
    cs_page text = {0}, json = {0};
    (void)state;
    cs_summary_text(s->run, NULL, &text);
    cs_summary_json(s->run, NULL, &json);
    assert_non_null(strstr(text.text, "  the draws have weights: R-hat"));
    assert_non_null(strstr(text.text, "weighted: 600 draws per chain"));
    assert_non_null(
        strstr(text.text, "       ess        5%       50%       95%"));
    assert_null(strstr(text.text, "ess_bulk"));
    assert_non_null(strstr(json.text, "\"rhat\": null"));
    assert_non_null(strstr(json.text, "\"reason\": \"the draws have weights"));
    assert_non_null(strstr(json.text, "\"kish\": "));
    assert_non_null(strstr(json.text, "\"5%_mcse\": "));
    cs_free(text.text);
    cs_free(json.text);
    close_fed(s);
}

/* A kernel without weights gives all draws the log weight 0. If a kernel with
 * weights replaces this kernel during the run, the draws still get no column of
 * weights. The run reports this. */
static void another_kernel_may_come(void **state)
{
    static double log_weight[STEPS];
    (void)state;
    for (int later = 0; later < 2; later++) {
        subject *s = open_fed(0, later ? NULL : of_all_sizes, 8);
        cs_kernel_type type = *cs_kernel_find("random_walk");
        cs_kernel other;
        cs_page text = {0};
        assert_int_equal(cs_kernel_init(&other, &type, NULL, 0, NULL), CS_OK);
        fed = of_all_sizes;
        type.name = "another";
        type.step = feed;
        type.flags |= later ? CS_KERNEL_WEIGHS : 0;
        move(s, 50);
        assert_int_equal(cs_run_set_kernel(s->run, 0, &other, NULL, NULL),
                         CS_OK);
        move(s, 50);
        cs_summary_text(s->run, NULL, &text);
        assert_true(later ==
                    (strstr(text.text, "another weights its draws, but they "
                                       "have no weight column") != NULL));
        assert_int_equal(
            cs_run_weighed_draws(s->run, 0, 1, NULL, log_weight, NULL), 100);
        assert_true(later == (log_weight[49] == 0) && log_weight[50] == 0);
        cs_free(text.text);
        close_fed(s);
    }
}

/* ---- saving -------------------------------------------------------------- */

static void assert_same(subject *a, subject *b)
{
    assert_int_equal(a->f.used, b->f.used);
    assert_memory_equal(a->f.base, b->f.base, a->f.used);
}

/* A saved run contains its weights. If the run was saved next to files of
 * draws, the weights are read back from these files. */
static void weights_are_saved_and_recalled(void **state)
{
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        subject *a = after_all(0, of_all_sizes);
        subject *b = open_fed(1, of_all_sizes, 0);
        unsigned char *bytes;
        size_t size;
        assert_int_equal(beside
                             ? cs_run_save_beside(a->run, &bytes, &size, NULL)
                             : cs_run_save(a->run, &bytes, &size, NULL),
                         CS_OK);
        cs_error err = {0};
        if (cs_run_load(b->run, bytes, size, &err) != CS_OK)
            fail_msg("%s", err.what);
        cs_run_judge_all(b->run, 1);
        assert_int_equal(cs_run_recall(b->run, 0), beside ? STEPS : 0);
        for (size_t c = 0; beside && c < CHAINS; c++)
            for (size_t i = 0; i < STEPS; i++)
                cs_run_recall_draw(b->run, 0, c, i, a->sunk.row[c][i]);
        cs_run_recalled(b->run, 0);
        a->sunk.n[0] = a->sunk.n[1] = a->sunk.n[2] = a->sunk.n[3] = 0;
        move(a, 10);
        move(b, 10);
        assert_same(a, b);
        cs_free(bytes);
        close_fed(a);
        close_fed(b);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(draws_carry_their_weights),
    cmocka_unit_test(figures_are_sums_over_the_draws),
    cmocka_unit_test(aside_they_are_the_same),
    cmocka_unit_test(a_constant_of_a_chain_changes_nothing),
    cmocka_unit_test(log_weights_may_be_far_apart),
    cmocka_unit_test(equal_weights_are_none),
    cmocka_unit_test(samples_are_weighed),
    cmocka_unit_test(the_summary_says_so),
    cmocka_unit_test(another_kernel_may_come),
    cmocka_unit_test(weights_are_saved_and_recalled),
};
TESTS(test_weighted_draws)
