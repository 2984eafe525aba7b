/* Compares every printed error with the true error. Over 200 sets of draws, the
 * confidence interval must cover the true value at its nominal rate. */
#include "learn/anneal.h"
#include "learn/data_set.h"
#include "run/draws/size_errors.h"
#include "run/summary/paired.h"
#include "stat/diagnostics.h"
#include "stat/moments.h"
#include "stat/running.h"
#include "stat/testimony.h"
#include "stat/uniformity.h"
#include "stat/weighted.h"
#include "support/support.h"
#include "support/watch.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

enum { SETS = 200, CHAINS = 4, LONG = 1000, SIZE = CHAINS * LONG };

/* Differences between the estimate and the true value, each divided by the
 * reported error. */
typedef struct errors {
    double z[SETS];
    size_t n;
    double freedom; /* degrees of freedom; 0: normal */
} errors;

static void take(errors *e, double found, double truth, double error)
{
    assert_true(error > 0 && e->n < SETS);
    e->z[e->n++] = (found - truth) / error;
}

static double share_within(const errors *e, double level)
{
    double p = 0.5 + level / 2, inside = 0;
    double reach = e->freedom > 0 ? gsl_cdf_tdist_Pinv(p, e->freedom)
                                  : gsl_cdf_ugaussian_Pinv(p);
    for (size_t i = 0; i < e->n; i++)
        inside += fabs(e->z[i]) < reach;
    return inside / (double)e->n;
}

/* Checks the share of the intervals that cover the true value. With 200
 * intervals, the standard error of the share is 0.033 at the level 68 % and
 * 0.015 at the level 95 %. The margin is three standard errors. `more` is added
 * to the upper limits if the reported error is the larger of two errors. */
static void right_more(const errors *e, double more, const char *what)
{
    double some = share_within(e, 0.68), most = share_within(e, 0.95);
    assert_int_equal(e->n, SETS);
    if (some < 0.58 || some > 0.78 + more)
        fail_msg("%s: %.3f instead of 0.68 within one error", what, some);
    if (most < 0.905 || most > 0.991 + more)
        fail_msg("%s: %.3f instead of 0.95 within the interval", what, most);
}

static void right(const errors *e, const char *what)
{
    right_more(e, 0, what);
}

/* Fills x with autoregressive chains of mean 0 and variance 1. */
static void walk(double rho, double *x)
{
    for (size_t c = 0; c < CHAINS; c++) {
        double *at = x + c * LONG;
        at[0] = watch_normal();
        for (size_t i = 1; i < LONG; i++)
            at[i] = rho * at[i - 1] + sqrt(1 - rho * rho) * watch_normal();
    }
}

static void means_of_chains(void **state)
{
    enum { TIMES = 40 };
    static double x[SIZE];
    errors mean = {.n = 0}, table = {.n = 0}, running = {.n = 0};
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        const cs_draws d = {x, LONG, CHAINS};
        cs_running r;
        walk(0.6, x);
        take(&mean, cs_mean(x, SIZE), 0, cs_mcse_mean(d, NULL));
        cs_diagnosis all = cs_diagnose(d);
        take(&table, all.figures.mean, 0, all.figures.mcse);
        assert_near(all.figures.mcse, all.figures.sd / sqrt(all.figures.ess),
                    1e-12, 0);
        assert_true(cs_running_means(d, NULL, TIMES, &r));
        take(&running, r.mean[TIMES / 2], 0, r.error[TIMES / 2]);
        cs_free(r.mean);
    }
    right(&mean, "the mean");
    right(&table, "the mean in a table");
    right(&running, "the mean half way");
}

/* Tests the errors of the quantities by which arms are compared. */
static void testimonies(void **state)
{
    static double x[SIZE];
    static const double q[CS_WITNESSED_QUANTILES] = {-1.6448536, 0.2533471, 2};
    errors of[CS_WITNESSED] = {{.n = 0}};
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        cs_testimony out[CS_WITNESSED] = {{.at = 0}};
        walk(0.6, x);
        cs_diagnosis d = cs_diagnose((cs_draws){x, LONG, CHAINS});
        cs_testify(&(cs_testimony_draws){x, NULL, CHAINS, LONG, d.figures.ess,
                                         d.figures.tail},
                   q, out);
        take(&of[CS_WITNESSED_SD], out[CS_WITNESSED_SD].at, 0,
             out[CS_WITNESSED_SD].error);
        for (int k = CS_WITNESSED_LOW; k < CS_WITNESSED; k++)
            take(&of[k], out[k].at,
                 gsl_cdf_ugaussian_P(q[k - CS_WITNESSED_LOW]), out[k].error);
    }
    right_more(&of[CS_WITNESSED_SD], 0.12, "the sd");
    right_more(&of[CS_WITNESSED_LOW], 0.12, "the share to 5 %");
    right_more(&of[CS_WITNESSED_MEDIAN], 0.16, "the share to 60 %");
    right_more(&of[CS_WITNESSED_HIGH], 0.16, "the share to 98 %");
}

/* Tests log Z of runs with normal log weights, for which log E w is half the
 * variance of the log weights. */
static void annealed(void **state)
{
    enum { RUNS = 400 };
    errors e = {.n = 0};
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        double w[RUNS];
        for (size_t i = 0; i < RUNS; i++)
            w[i] = 0.5 * watch_normal() - 700;
        cs_annealed a = cs_anneal_sum(w, RUNS, 3);
        take(&e, a.log_z, 3 - 700 + 0.125, a.error);
    }
    right(&e, "log Z");
}

/* Tests differences between runs in pairs with a common seed. Also tests the
 * jackknife error of an effective sample size, which leaves out one chain at a
 * time. */
static void pairs_and_groups(void **state)
{
    enum { RUNS = 5, GROUPS = CS_JACKKNIFE_MOST };
    errors pair = {.freedom = RUNS - 1}, logs = {.freedom = RUNS - 1};
    errors group = {.freedom = GROUPS - 1};
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        double x[2 * RUNS], size[GROUPS], sum = 0, without[GROUPS];
        for (size_t i = 0; i < RUNS; i++) {
            double both = 5 * watch_normal();
            x[2 * i] = exp(both + 0.2 * watch_normal());
            x[2 * i + 1] = exp(both - 0.7 + 0.2 * watch_normal());
        }
        cs_paired p = cs_paired_of(x, x + 1, RUNS, 2, true);
        take(&logs, p.mean, 0.7, p.error);
        for (size_t i = 0; i < 2 * RUNS; i++)
            x[i] = watch_normal() + (i % 2 ? 1 : 3);
        p = cs_paired_of(x, x + 1, RUNS, 2, false);
        take(&pair, p.mean, 2, p.error);
        for (size_t i = 0; i < GROUPS; i++)
            sum += size[i] = 100 + 10 * watch_normal();
        for (size_t i = 0; i < GROUPS; i++)
            without[i] = log((sum - size[i]) / (GROUPS - 1));
        take(&group, log(sum / GROUPS), log(100),
             cs_jackknife_error(without, GROUPS));
    }
    right(&pair, "a difference of pairs");
    right(&logs, "a ratio of pairs");
    right(&group, "what leaves groups out");
}

/* Tests the mean and the spread of uniform ranks. */
static void ranks(void **state)
{
    enum { N = 300, PLACES = 100 };
    errors mean = {.n = 0}, spread = {.n = 0};
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        double rank[N];
        cs_uniformity u;
        for (size_t i = 0; i < N; i++)
            rank[i] = floor(watch_uniform() * PLACES);
        assert_true(cs_uniformity_of(rank, N, PLACES, &u));
        take(&mean, u.mean, 0.5, u.mean_error);
        take(&spread, u.spread, 1, u.spread_error);
    }
    right(&mean, "the mean of ranks");
    right(&spread, "the spread of ranks");
}

/* Tests log p of a row of independent bits with a known distribution. */
static void independent_bits(void **state)
{
    enum { DIM = 6, ROWS = 200, MANY = 20000 };
    static const cs_space space = {
        .kind = CS_BINARY, .dim = DIM, .values = 2, .low = 0};
    static double train[MANY * DIM], test[ROWS * DIM];
    cs_data_set *known, *held;
    errors e = {.n = 0};
    double truth = 0;
    (void)state;
    for (size_t d = 0; d < DIM; d++) {
        double p = 0.1 + 0.1 * (double)d;
        truth += p * log(p) + (1 - p) * log(1 - p);
        for (size_t i = 0; i < MANY; i++)
            train[i * DIM + d] = (double)i < p * MANY;
    }
    assert_int_equal(cs_data_of_states(&known, train, MANY, DIM, &space, NULL),
                     CS_OK);
    for (size_t s = 0; s < SETS; s++) {
        double error = 0;
        for (size_t i = 0; i < ROWS * DIM; i++)
            test[i] = watch_uniform() < 0.1 + 0.1 * (double)(i % DIM);
        assert_int_equal(
            cs_data_of_states(&held, test, ROWS, DIM, &space, NULL), CS_OK);
        double found = cs_data_independent(known, held, 0, &error);
        take(&e, found, truth, error);
        cs_data_release(held);
    }
    cs_data_release(known);
    right(&e, "log p of independent bits");
}

/* Checks a probe that reports a mean over chains and the error of this mean.
 * The draws are normal, with enough dimensions that the result of a chain is
 * nearly normal. The reference is the mean over all sets. */
static void over_chains(const char *probe, const char *value)
{
    enum { DRAWS = 64, DIM = 16 };
    static const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = DIM};
    double found[SETS], error[SETS];
    errors e = {.freedom = WATCH_CHAINS - 1};
    for (size_t s = 0; s < SETS; s++) {
        watch w;
        assert_int_equal(watch_open(&w, probe, "gaussian", &dim, 1), CS_OK);
        for (size_t i = 0; i < DRAWS; i++) {
            double x[WATCH_CHAINS * DIM];
            for (size_t k = 0; k < WATCH_CHAINS * DIM; k++)
                x[k] = watch_normal();
            watch_step(&w, x, NULL);
        }
        watch_report(&w);
        size_t last = watch_find(&w, "time").cols - 1;
        found[s] = entry(&w, value, last);
        error[s] = entry(&w, "error", last);
        watch_close(&w);
    }
    for (size_t s = 0; s < SETS; s++)
        take(&e, found[s], cs_mean(found, SETS), error[s]);
    right(&e, probe);
}

static void means_over_chains(void **state)
{
    (void)state;
    over_chains("distance", "curve");
    over_chains("means", "mse");
}

/* ---- p-values ------------------------------------------------------------ */

/* Tests the drift of the draws, which shows that a warm-up was too short. For
 * one chain, the drift is the mean of the first quarter minus the mean of the
 * last quarter. It is averaged over chains, and divided by the error of this
 * average. The test computes the drift again. For stationary chains, the
 * p-value is 1 unless a t-test finds that the chains drift in a common
 * direction. This happens in 5 % of the cases; the p-value then follows from
 * the errors. */
static void drifts(void **state)
{
    enum { HALF = LONG / 2, QUARTER = LONG / 4 };
    static double x[SIZE], last[CHAINS * HALF];
    double small = 0, even = 0;
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        double each[CHAINS], by = 0;
        walk(0.3, x);
        for (size_t c = 0; c < CHAINS; c++) {
            const double *from = x + c * LONG;
            memcpy(last + c * HALF, from + HALF, HALF * sizeof *last);
            each[c] = cs_mean(from, QUARTER) -
                      cs_mean(from + LONG - QUARTER, QUARTER);
            by += each[c] / CHAINS;
        }
        cs_diagnosis d = cs_diagnose((cs_draws){x, LONG, CHAINS});
        double error = cs_mcse_mean((cs_draws){last, HALF, CHAINS}, NULL);
        double size = cs_ess_mean((cs_draws){last, HALF, CHAINS}, NULL);
        double t = fabs(by) / sqrt(cs_variance(each, CHAINS) / CHAINS);
        bool agree = 2 * gsl_cdf_tdist_Q(t, CHAINS - 1) < 0.05;
        double chance = 2 * gsl_cdf_tdist_Q(fabs(d.drift), fmax(3, size / 40));
        assert_near(d.drift, by / (2 * error), 1e-9, 0);
        assert_near(d.drift_chance, agree ? chance : 1, 1e-9, 0);
        small += d.drift_chance < 0.05;
        even += d.drift_chance < 0.5;
    }
    assert_in_range((int)small, 0, 6);
    assert_in_range((int)even, 2, 22);
}

/* Tests a single chain of independent draws, split in halves. The p-value is
 * the smaller of two p-values: one for the draws, and one for their distances
 * from the median. Hence it is below 5 % for up to 10 % of the 1000 chains. The
 * share is lower because the error of the autocorrelation time is included. */
static void chance_of_halves(void **state)
{
    enum { MANY = 1000, N = 100 };
    double x[N], small = 0;
    (void)state;
    for (size_t s = 0; s < MANY; s++) {
        for (size_t i = 0; i < N; i++)
            x[i] = watch_normal();
        small += cs_diagnose((cs_draws){x, N, 1}).chance < 0.05;
    }
    assert_in_range((int)small, 60, 120);
}

/* A heavy tail is detected on either side. */
static void tails_on_either_side(void **state)
{
    static double x[SIZE], minus[SIZE];
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        x[i] = pow(watch_uniform(), -0.9); /* tail index 0.9, in the upper tail
                                            * only */
        minus[i] = -x[i];
    }
    double above = cs_diagnose((cs_draws){x, LONG, CHAINS}).heavy;
    assert_near(above, 0.9, 0.2, 0);
    assert_near(cs_diagnose((cs_draws){minus, LONG, CHAINS}).heavy, above, 1e-9,
                0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(means_of_chains),
    cmocka_unit_test(testimonies),
    cmocka_unit_test(annealed),
    cmocka_unit_test(pairs_and_groups),
    cmocka_unit_test(ranks),
    cmocka_unit_test(independent_bits),
    cmocka_unit_test(means_over_chains),
    cmocka_unit_test(drifts),
    cmocka_unit_test(chance_of_halves),
    cmocka_unit_test(tails_on_either_side)};
TESTS(test_errors)
