/* Tests every figure of the summary on synthetic reports: the inputs of the
 * figure, and its value. Expected values are computed here by another method or
 * by hand. */
#include "run/arms/arms.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "figure/figure.h"
#include "probe/probe.h"
#include "probe/rows.h"
#include "run/run_facts.h"
#include "stat/diagnostics.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 4, MODES = 3, BYTES = 1 << 16 };

static unsigned char memory[BYTES] __attribute__((aligned(64)));
static cs_flat table;
static cs_error err;

static void put(const char *key, size_t rows, size_t cols, const double *x)
{
    double *to = cs_flat_array(&table, rows, cols, "%s", key);
    assert_non_null(to);
    memcpy(to, x, rows * cols * sizeof *x);
}

#define PUT(key, rows, ...)                                                    \
    do {                                                                       \
        const double x[] = {__VA_ARGS__};                                      \
        put(key, rows, sizeof x / sizeof *x / (rows), x);                      \
    } while (0)

static void put_numbers(void)
{
    PUT("run/arms", 1, 2);
    PUT("run/steps", 1, 110);
    PUT("arm/0/chains", 1, CHAINS);
    PUT("arm/0/group", 1, 1);
    PUT("arm/0/steps", 1, 100);
    PUT("arm/0/warm_up", 1, 10);
    PUT("arm/0/evaluations", 1, 800);
    PUT("arm/0/gradients", 1, 300);
    PUT("arm/0/data_terms", 1, 5000);
    PUT("arm/0/simulations", 1, 600);
    PUT("arm/0/site_updates", 1, 9000);
    PUT("arm/0/passes", 1, 2.5);
    PUT("arm/0/seconds", 1, 0.02);
    PUT("arm/1/chains", 1, CHAINS);
    PUT("arm/1/steps", 1, 400);
    PUT("arm/1/seconds", 1, 0.005);
}

/* Columns of the tally: steps, accepted steps, moves, divergences, states that
 * are not finite, E-BFMI, and whether the chain failed. */
static void put_chains(void)
{
    PUT("arm/0/tally", CHAINS, 100, 10, 5, 3, 0, 0.5, 0, 100, 30, 20, 0, 2,
        0.25, 1, 100, 50, 45, 8, 0, 1, 0, 100, 90, 90, 0, 5, 0.75, 0);
    PUT("arm/0/predictions", CHAINS, 1.1, 0.2, -1, 1.2, 0.4, -2, 1.3, 0.6, -3,
        1.4, 0.8, -4);
    PUT("arm/0/held_out", 1, 0.25, 0.26, 0.27);
    PUT("arm/0/state", CHAINS, 1, 0.25, 2, 0.25, 3, 0.25, 4, 0.25);
    PUT("arm/1/state", CHAINS, 1, 0.25, 2, 0.75, 3, 0.25, 4, 0.25);
    PUT("arm/0/ks", 1, 0.3, 0.1, 0.25);
    PUT("arm/0/ks/1", 1, 0.4, 1, 0.7);
    PUT("arm/0/kernel/trips_each", 1, 5, 7, 11, 13);
    PUT("arm/0/cycle/acceptance", 1, 0.6, 0.2, 0.4);
}

static void put_reports(void)
{
    PUT("arm/0/modes/visits", CHAINS, 40, 10, 0, 50, 0, 0, 25, 15, 10, 30, 10,
        10);
    PUT("arm/0/modes/weight", 1, 0.5, 0.25, 0.25);
    PUT("arm/0/modes/jumps", 1, 4, 0, 9, 7);
    PUT("arm/0/modes/first", CHAINS, 5, 30, NAN, 0, NAN, NAN, 9, 20, 95, 1, 60,
        99);
    PUT("arm/0/tours/chains", 2, 10, 20, 2, 15, 3, 1, 18, 30, 22, 4, 17, 5, 2,
        19);
    /* The table has a row for the log density, and one per coordinate. */
    PUT("arm/0/diagnostics/table", 4, 7, 2, 1.5, 50, 400, 0.003, 60, 11, 12,
        0.3, 0.4, 0.5, 90, 80, 1, 3, 1.01, 500, 300, 0.02, 900, 13, 14, 0.31,
        0.41, 0.52, 91, 81, 2, 4, 1.20, 100, 350, 0.05, 800, 15, 16, 0.32, 0.42,
        0.51, 92, 79, 3, 5, 1.02, 400, 200, 0.01, 700, 17, 18, 0.29, 0.43, 0.5,
        89, 83);
    PUT("arm/0/quantile/2/0.5", 1, 15.5);
    PUT("arm/0/moment/1", 1, 0.125, 0.3);
    PUT("arm/0/moment/1073741825", 1, 4.5, 0.75); /* a function of the draws */
    PUT("arm/0/autocorrelation/2/3", 1, 0.4);
    PUT("arm/0/rhat_nested/1/4", 1, 1.07);
    PUT("arm/0/diagnostics/multivariate", 1, 321, 0.1, 3);
    PUT("arm/0/elpd_loo", 1, -21.5);
    PUT("arm/0/sensitivity/3", 1, 0.02, 0.11);
    PUT("arm/0/quantile/3/0.25", 1, 5);
    PUT("arm/0/quantile/3/0.75", 1, 7.5);
    PUT("arm/0/diagnostics/alike", 1, 0.03);
    PUT("arm/0/diagnostics/never", 1, 3);
    PUT("arm/0/diagnostics/apart", 1, 2);
    PUT("arm/0/moments/mean", 1, 1.5, 2.5, 3.5);
    PUT("arm/0/moments/sd", 1, 0.5, 0.6, 0.7);
    PUT("arm/0/moments/error", 1, 0.11, 0.12, 0.13, 0.14);
    PUT("arm/0/movement/all", 1, 0.9, 1.1, 1.2, 1.3);
    PUT("arm/0/movement/gap", 1, 0.77, 0.78);
    PUT("arm/0/curvature/eigenvalues", 1, -1.5, 2.5, 3.25);
    PUT("arm/0/plane/tv", 1, 0.33);
    PUT("arm/0/weights/all", 1, 380, 20, 95, 0.1);
    PUT("arm/0/rows/drawn", 1, 400, 12.5, 3, 20);
    PUT("arm/0/rows/kept", 1, 400, 4.25, 2, 9);
}

static void put_curves(void)
{
    PUT("arm/0/mmd/time", 1, 20, 50, 60, 80, 100);
    PUT("arm/0/mmd/curve", 1, -1, -2, -3, -4, -5);
    PUT("arm/0/distance/values", 1, 0.1, 0.2, 0.3, 0.04, 0.05);
    cs_flat_text(&table, "tv kl chi2 ks.x.1 ks.x.2", "arm/0/distance/names");
    PUT("arm/0/means/time", 1, 10, 40, 90);
    PUT("arm/0/means/accuracy", 1, 0.5, 0.7, 0.9);
    PUT("arm/0/means/mse", 1, 0.5, 0.1, 0.02);
    PUT("arm/0/means/sd", 1, 2, 1);
    PUT("arm/0/means/mean", 3, 1, 2, 1.5, 2.5, 2, 3);
    PUT("arm/0/means/spread", 3, 4, 1, 1, 0.5, 0.2, 0.1);
    PUT("arm/1/means/time", 1, 90);
    PUT("arm/1/means/sd", 1, 2, 1);
    PUT("arm/1/means/mean", 1, 2, 3);
    PUT("arm/1/means/spread", 1, 9, 9);
    PUT("arm/0/trace/time", 1, 25, 50, 100);
    PUT("arm/0/trace/0/low", 2, 8, 6, 1, 9, 7, 2);
}

static cs_table_facts facts(void)
{
    cs_table_facts t = cs_facts_of_table(table.base, table.used, NULL);
    t.facts.err = &err;
    return t;
}

static int setup(void **state)
{
    (void)state;
    err = (cs_error){.status = CS_OK};
    cs_flat_begin(&table, memory, sizeof memory);
    put_numbers();
    put_chains();
    put_reports();
    put_curves();
    return table.full;
}

/* ---- every figure ---- */

enum { ANY = -1 };

static const struct wanted {
    const char *name;
    double value, k, work; /* 0 for k or work: not given */
    double level;          /* of a quantile or interval */
    int other;             /* the other arm, from 1; 0: none */
    cs_unit unit;
    int at; /* index of the quantity; ANY: not checked */
} wanted[] = {
    {"acceptance", 180. / 400, .at = ANY},
    {"moved", 160. / 400, .at = ANY},
    {"cycle_acceptance", 0.2, .at = 1},
    {"cycle_acceptance", 0.4, .k = 3, .at = 2},
    {"failed", 1, .at = ANY},
    {"divergent", 11, .at = ANY},
    {"not_finite", 7, .at = ANY},
    {"ebfmi", 0.625, .at = ANY},
    {"trips", 36, .at = ANY},
    {"modes_visited", 2.5, .at = ANY},
    {"modes_mean", 2.25, .at = ANY},
    {"modes_together", 3, .at = ANY},
    {"modes_found", 2, .work = 8 * 31, .unit = CS_UNIT_EVALUATIONS, .at = ANY},
    {"jumps", 5, .at = ANY},
    {"mode_share", 0.175, .k = 2, .at = ANY},
    {"mode_entropy", 0.699451729,
     .at = ANY}, /* -(.725 ln .725 + .175 ln .175 + .1 ln .1) / ln 3 */
    {"mode_tv", 0.225, .at = ANY},
    {"mode_kl", 0.11533639, .at = ANY},
    {"mode_error", -1.8971200, .at = ANY}, /* ln 0.15 */
    {"tours", 20, .at = ANY},
    {"tour_cost", 21, .at = ANY},
    {"tour_cost_sd", 3, .at = ANY},
    {"tour_best", 16, .at = ANY},
    {"tour_mismatch", 4, .at = ANY},
    {"tour_mismatch_sd", 1.5, .at = ANY},
    {"tour_visits", 18.5, .at = ANY},
    {"held_out", 0.25, .at = ANY},
    {"average_rmse", 1.25, .at = ANY},
    {"average_accuracy", 0.5, .at = ANY},
    {"average_log_score", -2.5, .at = ANY},
    {"mean", 2.5, .k = 2, .at = ANY},
    {"sd", 0.7, .k = 3, .at = ANY},
    {"mean_error", 0.11, .at = ANY},
    {"sd_error", 0.13, .at = ANY},
    {"log_density", 7, .at = ANY},
    {"log_density_sd", 2, .at = ANY},
    {"rhat", 1.5, .at = 0},
    {"rhat", 1.01, .k = 1, .at = 1},
    {"ess", 60, .at = 0},
    {"ess_bulk", 50, .at = 0},
    {"ess_tail", 200, .at = 3},
    {"mcse", 0.05, .at = 2},
    {"median", 15.5, .k = 2, .at = ANY},
    {"median", 17, .k = 3, .at = ANY}, /* from the table */
    {"quantile", 7.5, .k = 3, .level = 0.75, .at = ANY},
    {"quantile", NAN, .k = 3, .level = 0.5, .at = ANY},
    {"interval", 2.5, .k = 3, .level = 0.5, .at = ANY},
    {"probability", 0.125, .k = 1, .at = ANY},
    {"mean", 4.5, .k = CS_FACTS_DERIVED + 1, .at = ANY},
    {"sd", 0.75, .k = CS_FACTS_DERIVED + 1, .at = ANY},
    {"autocorrelation", 0.4, .k = 2, .level = 3, .at = ANY},
    {"autocorrelation", NAN, .k = 2, .level = 4, .at = ANY},
    {"rhat_nested", 1.07, .k = 1, .level = 4, .at = ANY},
    {"ess_multivariate", 321, .at = ANY},
    {"elpd_loo", -21.5, .at = ANY},
    {"prior_sensitivity", 0.02, .k = 3, .at = ANY},
    {"likelihood_sensitivity", 0.11, .k = 3, .at = ANY},
    {"prior_sensitivity", NAN, .k = 2, .at = ANY},
    {"mad", 14, .k = 1, .at = 1},
    {"mcse_sd", 0.32, .at = 2},
    {"mcse_sd", 0.29, .k = 3, .at = 3},
    {"mcse_median", 0.43, .at = 3},
    {"mcse_mad", 0.52, .at = 1},
    {"ess_sd", 89, .at = 3},
    {"ess_median", 79, .at = 2},
    {"ess_per_work", 75, .at = 0},
    {"ess_per_work", 1000, .k = 2, .at = 2},
    {"ess_per_second_min", 35000, .at = 3},
    {"ess_per_second_median", 40000, .at = 2},
    {"ess_per_second_max", 45000, .at = 1},
    {"ess_per_million_rows_min", 140000, .at = 3},
    {"ess_per_million_rows_median", 160000, .at = 2},
    {"ess_per_million_rows_max", 180000, .at = 1},
    {"mse", 0.02, .at = ANY},
    {"mse", (0.2 / 4 + 0.1) / 2, .other = 2, .at = ANY},
    /* With 12.5 rows per step, the steps 20, 50 and 100 correspond to 250, 625
     * and 1250 rows. On a log scale, 395.28 rows are halfway between 250 and
     * 625 rows. */
    {"mse_at", 0.2236068, .work = 395.28471, .unit = CS_UNIT_TERMS, .at = ANY},
    {"mse_at", 0.02, .work = 0.005, .unit = CS_UNIT_SECONDS, .at = ANY},
    {"mse_at", NAN, .work = 1300, .unit = CS_UNIT_TERMS, .at = ANY},
    {"mse_at", NAN, .work = 19, .unit = CS_UNIT_STEPS, .at = ANY},
    {"mse_at", ((1 + 0.25) / 4 + (0.5 + 0.25)) / 2, .work = 50,
     .unit = CS_UNIT_STEPS, .other = 2, .at = ANY},
    {"mean_accuracy", 0.9, .at = ANY},
    {"mean_accuracy_at", 0.6, .work = 395.28471, .unit = CS_UNIT_TERMS,
     .at = ANY},
    {"hamming", 1.1, .at = ANY},
    {"hamming_accepted", 1.2, .at = ANY},
    {"jump", 1.3, .at = ANY},
    {"gap", 0.77, .at = ANY},
    {"curvature_mean", -1.5, .at = ANY},
    {"curvature_sd", 2.5, .at = ANY},
    {"curvature_iqr", 3.25, .at = ANY},
    {"rows_drawn", 12.5, .at = ANY},
    {"rows_kept", 4.25, .at = ANY},
    {"tv", 0.1, .at = ANY},
    {"kl", 0.2, .at = ANY},
    {"chi2", 0.3, .at = ANY},
    {"ks", 0.05, .at = ANY},
    {"tv_plane", 0.33, .at = ANY},
    {"distance", 0.13533528,
     /* e^-2, by the probe mmd after 50 steps */ .work = 60,
     .unit = CS_UNIT_STEPS, .at = ANY},
    {"ks_min", 0.1, .at = ANY},
    {"ks_median", 0.25, .at = ANY},
    {"ks_max", 1, .other = 2, .at = ANY},
    /* The run has 110 steps, including a warm-up of 10 steps. Its second half
     * has the values at steps 50, 60, 80 and 100. */
    {"log_mmd", -2.94610466, .at = ANY},
    {"log_mmd_at", -1, .k = 55, .at = ANY},
    {"energy", 6, .work = 8 * 61, .unit = CS_UNIT_EVALUATIONS, .at = ANY},
    {"gradients", 0.75, .at = ANY},
    {"data_terms", 12.5, .at = ANY},
    {"simulations", 1.5, .at = ANY},
    {"site_updates", 22.5, .at = ANY},
    {"passes", 2.5, .at = ANY},
    {"step_time", 50, .at = ANY},
    {"relative_time", 16, .other = 2, .at = ANY},
    {"terms", 5000, .at = ANY},
    {"weight_share", 0.25, .at = ANY},
    {"kish", 95, .at = ANY},
    {"alike", 0.03, .at = ANY},
    {"sites_stuck", 5, .at = ANY},
    {"apart", 0.5, .other = 2, .at = ANY},
};
enum { WANTED = sizeof wanted / sizeof *wanted };

static cs_figure ask(const struct wanted *w)
{
    const cs_table_facts t = facts();
    const cs_figure_type *type = cs_figure_find(w->name);
    cs_figure_of q = cs_figure_of_arm(0);
    assert_non_null(type);
    q.k = w->k > 0 ? w->k : (double)NAN;
    q.work = w->work > 0 ? w->work : (double)NAN;
    q.level = w->level;
    q.unit = w->unit;
    q.other = w->other ? (size_t)w->other - 1 : CS_OF_NONE;
    return cs_figure_ask(type, &t.facts, q);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < WANTED; i++) {
        cs_figure f = ask(&wanted[i]);
        bool good = isnan(wanted[i].value)
                        ? isnan(f.value)
                        : fabs(f.value - wanted[i].value) <=
                              1e-6 * fmax(1, fabs(wanted[i].value));
        if (!good)
            fail_msg("%s is %.12g, not %.12g", wanted[i].name, f.value,
                     wanted[i].value);
        if (isnan(f.value))
            assert_non_null(f.missing);
        if (wanted[i].at != ANY)
            assert_int_equal(f.at, wanted[i].at);
        assert_int_equal(err.status, CS_OK);
    }
}

static bool is_wanted(const char *name)
{
    size_t i = 0;
    while (i < WANTED && strcmp(wanted[i].name, name) != 0)
        i++;
    return i < WANTED;
}

static void check_words(const cs_figure_type *t)
{
    const char *texts[] = {t->name, t->title, t->help, t->missing};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!texts[i] || !*texts[i])
            fail_msg("figure %s has an empty text", t->name ? t->name : "?");
    assert_int_not_equal(t->help[strlen(t->help) - 1], '.');
    assert_int_not_equal(strncmp(t->help, "the same", 8),
                         0); /* the sentence must be readable on its own */
    assert_int_not_equal(strncmp(t->missing, "has", 3) &&
                             strncmp(t->missing, "is", 2) &&
                             strncmp(t->missing, "looks", 5) &&
                             strncmp(t->missing, "reads", 5) &&
                             strncmp(t->missing, "predicts", 8),
                         true);
}

/* Each row of the table of figures must be complete and consistent, and must
 * have a test in this file. */
static void test_rows(void **state)
{
    const cs_figure_type *t;
    (void)state;
    for (size_t i = 0; (t = cs_figure_at(i)); i++) {
        check_words(t);
        assert_ptr_equal(cs_figure_find(t->name), t);
        if (!is_wanted(t->name))
            fail_msg("figure %s has no test", t->name);
        if (t->probe && !cs_probe_find(t->probe))
            fail_msg("figure %s reads an unknown probe", t->name);
        assert_true(t->find && t->draws < CS_DRAWS_KINDS &&
                    t->spread < CS_SPREAD_KINDS && t->of < CS_OF_KINDS);
        assert_true(t->of || !(t->flags & CS_FIGURE_NEEDS));
        assert_int_equal(t->of == CS_OF_WORK, t->reach != NULL);
        assert_true(t->merit != CS_MERIT_NONE ||
                    !(t->flags & (CS_FIGURE_FAST | CS_FIGURE_COST)));
        assert_true(t->high >= t->low);
        /* A constant figure must not be declared a total. */
        assert_true(!(t->flags & CS_FIGURE_STEADY) ||
                    !(t->flags & (CS_FIGURE_TOTAL | CS_FIGURE_REACHED)));
    }
    assert_null(cs_figure_find("speed"));
}

/* Without a report a figure has no value. The sentence that takes the place of
 * the value gives the reason. */
static void test_nothing(void **state)
{
    const cs_figure_type *t;
    (void)state;
    cs_flat_begin(&table, memory, sizeof memory);
    const cs_table_facts f = facts();
    for (size_t i = 0; (t = cs_figure_at(i)); i++) {
        cs_figure_of q = cs_figure_of_arm(0);
        q.other = 1;
        q.k = t->of == CS_OF_MODE ? 1 : (double)NAN;
        q.work = 10;
        cs_figure found = cs_figure_ask(t, &f.facts, q);
        if (!isnan(found.value) || !found.missing)
            fail_msg("%s without a report is %g", t->name, found.value);
    }
    assert_int_equal(err.status, CS_OK);
}

/* The number of trips between modes is counted for a sample of the chains or
 * ladders (the units), and then scaled to the number of all units. */
static void test_sample(void **state)
{
    (void)state;
    const struct wanted trips = {"trips", 0, .at = ANY};
    PUT("arm/0/units", 1, 0, 2);
    assert_near(ask(&trips).value, (5 + 11) * 4 / 2., 1e-12, 0);
}

/* ---- invalid figures ---- */

static void test_coordinates(void **state)
{
    (void)state;
    const struct wanted far = {"mean", 0, .k = 9, .at = ANY};
    assert_true(isnan(ask(&far).value));
    assert_string_equal(err.what,
                        "coordinate 9 is not recorded: the probe moments "
                        "records only the first 3 coordinates");
    const struct wanted beyond = {"ess", 0, .k = 9, .at = ANY};
    assert_true(isnan(ask(&beyond).value));
    assert_string_equal(err.what,
                        "the draws of coordinate 9 did not fit in memory");
}

/* The worst value over several quantities is undefined if some quantities use
 * all steps and others only kept draws. The value for a single quantity is
 * always defined. A figure that uses only kept draws is defined too. */
static void test_different_draws(void **state)
{
    static const char *const worst[] = {"ess", "mcse", "ess_per_work",
                                        "ess_per_million_rows_max"};
    (void)state;
    PUT("arm/0/diagnostics/whole", 1, 0);
    PUT("arm/0/diagnostics/known", 1, 2);
    for (size_t i = 0; i < sizeof worst / sizeof *worst; i++) {
        const struct wanted w = {worst[i], 0, .at = ANY};
        cs_figure f = ask(&w);
        assert_true(isnan(f.value));
        assert_string_equal(f.missing, "mixes quantities of all steps with "
                                       "quantities of kept draws");
    }
    const struct wanted one = {"ess", 0, .k = 2, .at = ANY};
    const struct wanted ranks = {"rhat", 0, .at = ANY};
    assert_near(ask(&one).value, 800, 0, 0);
    assert_near(ask(&ranks).value, 1.5, 0, 0);
}

/* Figures that are totals are not ranked if the arms have unequal work. All
 * other figures are ranked. */
static void test_totals(void **state)
{
    (void)state;
    char why[80];
    static const char *const others[] = {"ess_per_work", "rhat", "mse"};
    const cs_figure_type *ess = cs_figure_find("ess");
    assert_false(cs_figure_is_unranked(ess, 1000, 1040, why, sizeof why));
    assert_string_equal(why, "");
    assert_true(cs_figure_is_unranked(ess, 1000, 1060, why, sizeof why));
    assert_string_equal(why, "work is unequal and ess grows with it");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(cs_figure_is_unranked(cs_figure_find(others[i]), 1000,
                                           90000, NULL, 0));
}

/* ---- an open run and the table of its reports ---------------------------- */

static cs_run *run_of(cs_target *t)
{
    const cs_arm_spec arm = {.name = "a", .kernel = kernel_of("random_walk")};
    static const char *const names[] = {"acceptance", "moments",  "diagnostics",
                                        "distance",   "movement", "modes",
                                        "trace",      "plane"};
    enum { PROBES = sizeof names / sizeof *names };
    cs_probe_spec probe[PROBES] = {{.type = NULL}};
    for (size_t i = 0; i < PROBES; i++)
        probe[i].type = cs_probe_find(names[i]);
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = 8,
                              .seed = 2,
                              .probes = probe,
                              .n_probes = PROBES};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, 500, NULL, NULL), CS_OK);
    return r;
}

/* Publishes the reports as a session does. */
static void publish(cs_run *r, cs_flat *out)
{
    cs_arm_view v = cs_run_arm(r, 0);
    cs_flat_number(out, 1, "run/arms");
    cs_flat_number(out, (double)v.chains, "arm/0/chains");
    cs_flat_number(out, (double)v.steps, "arm/0/steps");
    cs_flat_number(out, cs_work_evaluations(&v.work, cs_run_target(r)),
                   "arm/0/evaluations");
    cs_run_report(r, out);
    assert_false(out->full);
}

/* A figure computed from a run equals the same figure computed from the table
 * of the run's reports, up to the rounding of shares. */
static void test_run_and_table(void **state)
{
    enum { ROOM = 4 << 20 };
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_run *r = run_of(t);
    cs_flat out;
    void *scratch = cs_alloc(1, ROOM);
    cs_flat_begin(&out, scratch, ROOM);
    publish(r, &out);
    const cs_table_facts table_facts =
        cs_facts_of_table(out.base, out.used, NULL);
    cs_run_facts *open = cs_run_facts_new(r, 0, 0);
    const cs_facts *f = cs_run_facts_of(open, &err);
    const cs_figure_type *type;
    size_t same = 0;
    for (size_t i = 0; (type = cs_figure_at(i)); i++) {
        cs_figure_of q = cs_figure_of_arm(0);
        if (type->of == CS_OF_ARM && type->flags & CS_FIGURE_NEEDS)
            continue;
        q.k = type->flags & CS_FIGURE_NEEDS ? 1 : (double)NAN;
        q.work = 300;
        double x = cs_figure_ask(type, f, q).value;
        double y = cs_figure_ask(type, &table_facts.facts, q).value;
        same += !isnan(x) && !isnan(y);
        if (!isnan(x) && !isnan(y) && x != y &&
            !(fabs(x - y) <= 1e-12 * fabs(x)))
            fail_msg("%s is %.17g for the run, %.17g for the table", type->name,
                     x, y);
    }
    assert_true(same >= 20);
    cs_run_facts_free(open);
    cs_run_destroy(r);
    cs_free(scratch);
    cs_target_release(t);
}

/* ---- a value without its error ------------------------------------------- */

static const cs_facts *counted_facts;
static size_t reports_read; /* entries of the report on all coordinates */

static bool find_counted(const cs_facts *f, size_t arm, const char *key,
                         cs_flat_entry *entry)
{
    (void)f;
    reports_read += strncmp(key, "diagnostics/", 12) == 0 &&
                    strcmp(key, "diagnostics/logp") != 0;
    return counted_facts->find(counted_facts, arm, key, entry);
}

/* The effective size of one coordinate does not read the report on all
 * coordinates, which takes time proportional to their number, unless the error
 * is requested. */
static void test_value_only(void **state)
{
    (void)state;
    cs_target *t = target_of("gaussian");
    cs_run *r = run_of(t);
    cs_run_facts *open = cs_run_facts_new(r, 0, 0);
    counted_facts = cs_run_facts_of(open, &err);
    const cs_facts f = {.find = find_counted, .arms = 1, .err = &err};
    cs_figure_of q = cs_figure_of_arm(0);
    q.k = 1;
    q.value_only = true;
    reports_read = 0;
    cs_figure value = cs_figure_ask(&cs_figure_ess, &f, q);
    assert_int_equal(reports_read, 0);
    q.value_only = false;
    cs_figure both = cs_figure_ask(&cs_figure_ess, &f, q);
    assert_true(reports_read > 0);
    assert_near(value.value, both.value, 0, 0);
    assert_true(value.value > 0 && isnan(value.error) && !isnan(both.error));
    cs_run_facts_free(open);
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(test_value_only, setup),
    cmocka_unit_test_setup(test_values, setup),
    cmocka_unit_test_setup(test_rows, setup),
    cmocka_unit_test_setup(test_nothing, setup),
    cmocka_unit_test_setup(test_sample, setup),
    cmocka_unit_test_setup(test_coordinates, setup),
    cmocka_unit_test_setup(test_different_draws, setup),
    cmocka_unit_test_setup(test_totals, setup),
    cmocka_unit_test_setup(test_run_and_table, setup),
};
TESTS(test_figures)
