/* Tests the warm-up of Stan, pooled over chains. Its windows and step sizes
 * equal those of Stan's code. The metric equals its formula over all states of
 * a window, and is close to the target's covariance. Results do not depend on
 * blocks, workers, interruptions or rewinds. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/save.h"
#include "run/tuning/chain_starts.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/far.h"
#include "support/support.h"

#include <string.h>

enum { DIM = FAR_DIM, CHAINS = 8, WARMUP = 1000 };

/* ---- windows ------------------------------------------------------------- */

/* State of a second implementation of Stan's windows (windowed_adaptation.hpp)
 * after step k of n, counted from 0. */
typedef struct stan {
    int n, init, term, base, counter, next, size;
} stan;

static stan stan_of(int n)
{
    stan s = {.n = n, .init = 75, .term = 50, .base = 25};
    if (n < 20)
        return (stan){.n = n, .init = n};
    if (s.init + s.base + s.term > n) {
        s.init = (int)(0.15 * n);
        s.term = (int)(0.1 * n);
        s.base = n - (s.init + s.term);
    }
    s.size = s.base;
    s.next = s.init + s.base - 1;
    return s;
}

static bool in_window(const stan *s)
{
    return s->base && s->counter >= s->init && s->counter < s->n - s->term &&
           s->counter != s->n;
}

static bool ends_window(const stan *s)
{
    return s->base && s->counter == s->next && s->counter != s->n;
}

static void next_window(stan *s)
{
    if (s->next == s->n - s->term - 1)
        return;
    s->size *= 2;
    s->next = s->counter + s->size;
    if (s->next == s->n - s->term - 1)
        return;
    if (s->next + 2 * s->size >= s->n - s->term)
        s->next = s->n - s->term - 1;
}

/* Returns the number of steps at which the tuner differs from Stan: only one of
 * the two collects states, or only one of the two ends a window. Also counts
 * steps at which the tuner moves chains to the states of other chains although
 * no window starts at the next step. */
static size_t unlike_stan(const cs_tuner_type *type, int n)
{
    cs_kernel k = kernel_of("nuts");
    cs_tuner t = window_tuner((uint64_t)n, CS_METRIC_DIAGONAL);
    void *memory = cs_alloc(1, type->memory);
    stan s = stan_of(n);
    cs_trial trial;
    size_t wrong = 0;
    t.type = type;
    t.values[1] = 0.8;
    assert_int_equal(cs_tuner_bind(&t, &k, DIM, NULL), CS_OK);
    double result = (double)NAN;
    for (; type->next(&t, memory, &result, &trial); s.counter++) {
        wrong += trial.steps != 1 || trial.gathers != in_window(&s) ||
                 trial.closes != ends_window(&s) ||
                 trial.brings != (ends_window(&s) || s.counter == s.init - 1);
        if (ends_window(&s))
            next_window(&s);
        result = 1 / (1 + trial.value[0]);
    }
    wrong += s.counter != n;
    cs_free(memory);
    return wrong;
}

static const cs_tuner_type *good_type;

static bool gathers_always(const cs_tuner *t, void *memory,
                           const double *result, cs_trial *trial)
{
    bool more = good_type->next(t, memory, result, trial);
    trial->gathers = true;
    return more;
}

static void windows_are_stans(void **state)
{
    static const int n[] = {1,   10,  19,  20,  21,  60,   149,  150,
                            151, 200, 275, 500, 999, 1000, 1001, 5000};
    (void)state;
    good_type = cs_tuner_find("window_adaptation");
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        size_t wrong = unlike_stan(good_type, n[i]);
        if (wrong)
            fail_msg("%d steps: %zu differ from Stan", n[i], wrong);
    }
    cs_tuner_type faulty = *good_type;
    faulty.next = gathers_always;
    assert_true(unlike_stan(&faulty, 1000) > 0);
}

/* In a run, the search for a step size starts again with every new metric. */
static void a_run_shows_its_windows(void **state)
{
    static const size_t ends[] = {0, 100, 150, 250, 450, 950};
    cs_target *t = far_away();
    cs_tuner tuner = window_tuner(WARMUP, CS_METRIC_DIAGONAL);
    cs_run *r = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
    size_t n = 0;
    (void)state;
    run_steps(r, WARMUP);
    cs_arm_view v = cs_run_arm(r, 0);
    assert_int_equal(v.tuning.n_trials, WARMUP);
    for (size_t i = 0; i < WARMUP; i++) {
        const char *is = tuner.type->phases[v.tuning.trial[i].phase];
        const char *was =
            i ? tuner.type->phases[v.tuning.trial[i - 1].phase] : "";
        bool search = strcmp(is, "first step") == 0;
        if (search && strcmp(was, "first step") != 0)
            assert_int_equal(i, ends[n++]);
        if (!search)
            assert_string_equal(is, i < 75    ? "start"
                                    : i < 950 ? "window"
                                              : "end");
    }
    assert_int_equal(n, 6);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* ---- dual averaging ------------------------------------------------------ */

/* After the initial search, step sizes follow the recursion of Hoffman and
 * Gelman, which is implemented again here. */
static void steps_are_dual_averages(void **state)
{
    cs_kernel k = kernel_of("nuts");
    cs_tuner t = window_tuner(200, CS_METRIC_UNIT);
    const cs_tuner_type *type = t.type;
    void *memory = cs_alloc(1, type->memory);
    cs_trial trial;
    cs_schedule found[CS_TUNER_DRIVEN];
    double result = (double)NAN, e = 0, h = 0, mean = 0, mu = 0;
    int m = 0, searched = 0;
    (void)state;
    t.values[1] = 0.8;
    assert_int_equal(cs_tuner_bind(&t, &k, DIM, NULL), CS_OK);
    while (type->next(&t, memory, &result, &trial)) {
        bool began = m == 0 && !trial.single;
        searched += trial.single != 0;
        if (began)
            mu = log(10 * trial.value[0]);
        if (!trial.single && !began) {
            assert_near(trial.value[0], e, 1e-12, 0);
        }
        result = 1 / (1 + pow(trial.value[0], 2)); /* 0.8 at a step size of
                                                    * 1/2 */
        if (trial.single)
            continue;
        m++;
        h = (1 - 1 / (m + 10.0)) * h + (0.8 - result) / (m + 10.0);
        e = exp(mu - sqrt(m) / 0.05 * h);
        mean = pow(m, -0.75) * log(e) + (1 - pow(m, -0.75)) * mean;
    }
    type->freeze(&t, memory, found);
    assert_near(found[0].values[0], exp(mean), 1e-12, 0);
    assert_true(searched > 1 && searched < 10);
    assert_near(exp(mean), 0.5, 0.1, 0);
    cs_free(memory);
}

/* If the warm-up ends during a search, the step size comes from this search. It
 * does not come from the search for the previous metric. */
static void a_search_cut_short_is_of_its_metric(void **state)
{
    cs_kernel k = kernel_of("nuts");
    cs_tuner t = window_tuner(20, CS_METRIC_DIAGONAL);
    void *memory = cs_alloc(1, t.type->memory);
    cs_trial trial;
    cs_schedule found[CS_TUNER_DRIVEN];
    double result = (double)NAN, last = 0;
    (void)state;
    t.values[1] = 0.8;
    assert_int_equal(cs_tuner_bind(&t, &k, DIM, NULL), CS_OK);
    for (bool closed = false; t.type->next(&t, memory, &result, &trial);) {
        double is = trial.value[0] * (closed ? 1e5 : 1);
        result = 1 / (1 + pow(is, 2));
        last = trial.value[0];
        closed |= trial.closes;
    }
    assert_true(trial.steps == 1 && last > 0);
    t.type->freeze(&t, memory, found);
    assert_near(found[0].values[0], last / 2, 1e-12, 0);
    cs_free(memory);
}

/* A search ends for any initial value, even if all steps are accepted, if no
 * step is accepted, or if the acceptance is unknown. */
static void searches_end(void **state)
{
    static const double starts[] = {1e-12, 1e-6, 0.1, 1e6, 1e100};
    cs_kernel k = kernel_of("nuts");
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < 5; i++) {
            cs_tuner t = window_tuner(500, CS_METRIC_UNIT);
            void *memory = cs_alloc(1, t.type->memory);
            double result = (double)NAN;
            cs_trial trial;
            int n = 0;
            k.values[0] = starts[i];
            t.values[1] = 0.8;
            assert_int_equal(cs_tuner_bind(&t, &k, DIM, NULL), CS_OK);
            while (t.type->next(&t, memory, &result, &trial)) {
                n += trial.single != 0;
                assert_true(trial.value[0] > 0 && isfinite(trial.value[0]));
                result = kind == 0   ? 1
                         : kind == 1 ? 0
                         : kind == 2 ? (double)NAN
                                     : 1 / (1 + trial.value[0]);
            }
            assert_true(n > 0 && n <= 100);
            cs_free(memory);
        }
}

/* ---- the metric ---------------------------------------------------------- */

/* Faults of the covariance: terms that are omitted or used too often. */
typedef enum moment_fault {
    ALL_RIGHT,
    FORGETS_A_CHAIN,
    SQUARES,
    GATHERS_OUTSIDE
} moment_fault;

/* All states of the last window. */
static double window[CHAINS][WARMUP][DIM];

/* Returns the covariance over the steps [from, to) of the first `chains`
 * chains. */
static double moment(size_t chains, size_t from, size_t to, size_t i, size_t j)
{
    double n = (double)(chains * (to - from)), sum = 0, mean[2] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t c = 0; c < chains; c++)
            for (size_t k = from; k < to; k++) {
                const double *x = window[c][k];
                mean[0] += pass ? 0 : x[i] / n;
                mean[1] += pass ? 0 : x[j] / n;
                sum += pass ? (x[i] - mean[0]) * (x[j] - mean[1]) : 0;
            }
    return sum / (n - 1);
}

static bool is_metric(const cs_metric *m, const double *before,
                      moment_fault fault)
{
    size_t chains = CHAINS - (fault == FORGETS_A_CHAIN);
    size_t from = fault == GATHERS_OUTSIDE ? 0 : 450;
    double n = (double)(chains * (950 - from));
    bool dense = m->kind == CS_METRIC_DENSE, good = true;
    for (size_t i = 0; i < DIM; i++)
        for (size_t j = 0; j < DIM; j++) {
            if (i != j && !dense)
                continue;
            double want = n * moment(chains, from, 950, i, j) / (n + 5);
            want += i == j ? 5e-3 * before[i] / (n + 5) : 0;
            want *= fault == SQUARES ? want : 1;
            double is = m->covariance[dense ? i * DIM + j : i];
            good &= fabs(is - want) <= 1e-9 * far_sds[i] * far_sds[j];
        }
    return good;
}

static void variances_of(const cs_run *r, double *out)
{
    const cs_metric *m = cs_run_arm(r, 0).metric;
    for (size_t i = 0; i < DIM; i++)
        out[i] = m->sd[i] * m->sd[i];
}

/* Advances a run step by step to the end of its warm-up, and returns the run.
 * `before` receives the variances of the previous metric. */
static cs_run *warmed_up(cs_target *t, cs_metric_kind kind, double *before)
{
    cs_tuner tuner = window_tuner(WARMUP, kind);
    cs_run *r = far_run(t, "nuts", &tuner, CHAINS, 1, 3);
    for (size_t k = 0; k < WARMUP; k++) {
        run_steps(r, 1);
        for (size_t c = 0; c < CHAINS; c++)
            memcpy(window[c][k], cs_run_chain(r, 0, c).x, sizeof window[c][k]);
        if (k == 940)
            variances_of(r, before);
    }
    assert_false(cs_run_arm(r, 0).tuning.active);
    return r;
}

static void metrics_are_their_formula(void **state)
{
    cs_target *t = far_away();
    (void)state;
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        double before[DIM] = {0};
        cs_run *r = warmed_up(t, (cs_metric_kind)kind, before);
        const cs_metric *m = cs_run_arm(r, 0).metric;
        assert_int_equal(m->kind, kind);
        assert_true(is_metric(m, before, ALL_RIGHT));
        for (int fault = ALL_RIGHT + 1; fault <= GATHERS_OUTSIDE; fault++)
            assert_false(is_metric(m, before, (moment_fault)fault));
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

/* ---- one bad chain of eight ---------------------------------------------- */

enum { BAD = 5 };

/* Opens a run in which all initial states but one are inside the target. The
 * other initial state is `far` standard deviations away. */
static cs_run *with_one_far(cs_target *t, double far, size_t workers,
                            size_t lanes)
{
    static double start[CHAINS][FAR_DIM];
    cs_arm_spec arm = {.name = "a",
                       .kernel = kernel_of("nuts"),
                       .tuner = window_tuner(WARMUP, CS_METRIC_DIAGONAL)};
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < FAR_DIM; i++)
            start[c][i] =
                far_sds[i] * (50 + (c == BAD ? far : 0.3 * (double)c - 1));
    cs_run *r = NULL;
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 7,
                        .workers = workers,
                        .block_lanes = lanes,
                        .keep = 64,
                        .start = start[0],
                        .n_starts = CHAINS};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static void assert_in(double x, double low, double high)
{
    if (!(x >= low && x <= high))
        fail_msg("%g is not between %g and %g", x, low, high);
}

static void assert_metrics_near(const cs_metric *a, const cs_metric *b)
{
    assert_int_equal(a->kind, b->kind);
    for (size_t i = 0; i < a->dim; i++)
        assert_in(a->sd[i] / b->sd[i], 0.85, 1.15);
}

static double step_of(const cs_run *r)
{
    return cs_run_arm(r, 0).kernel->values[0];
}

/* Returns the largest distance of a state from the mean, in standard
 * deviations. */
static double far_off(cs_run *r, size_t chain)
{
    double most = 0;
    for (size_t i = 0; i < FAR_DIM; i++)
        most =
            fmax(most, fabs(cs_run_chain(r, 0, chain).x[i] / far_sds[i] - 50));
    return most;
}

/* One chain starts so far away that it would not return in time with the step
 * sizes of the other chains. It is moved to the states of the other chains. The
 * other chains learn the same as in a run without this chain. */
static void one_bad_chain_is_withstood(void **state)
{
    cs_target *t = far_away();
    cs_run *good = with_one_far(t, 0, 1, 8);
    cs_run *bad = with_one_far(t, 1e12, 1, 8), *same = NULL;
    (void)state;
    run_steps(good, 74);
    run_steps(bad, 74);
    double ratio = cs_run_arm(bad, 0).tuning.trial[73].value[0] /
                   cs_run_arm(good, 0).tuning.trial[73].value[0];
    assert_in(ratio, 0.5, 2);
    assert_true(far_off(bad, BAD) > 1e9);
    run_steps(bad, 1);
    assert_true(far_off(bad, BAD) < 10);
    run_steps(good, WARMUP - 74);
    run_steps(bad, WARMUP - 75);
    assert_in(step_of(bad) / step_of(good), 0.8, 1.25);
    assert_metrics_near(cs_run_arm(bad, 0).metric, cs_run_arm(good, 0).metric);
    cs_page p = {.text = NULL};
    cs_starts_words(good, 0, &p);
    assert_null(p.text);
    cs_starts_words(bad, 0, &p);
    assert_string_equal(p.text,
                        "  during the warm-up 1 of 8 chains, with log p far "
                        "below the others, were moved to higher log p: "
                        "chain 6\n");
    cs_free(p.text);
    for (size_t lanes = 1; lanes <= 3; lanes += 2) {
        same = with_one_far(t, 1e12, 2, lanes);
        run_steps(same, WARMUP);
        assert_true(same_run(bad, same, true));
        assert_int_equal(cs_run_rewind(same, 60, NULL), CS_OK);
        run_steps(same, WARMUP - 60);
        assert_true(same_run(bad, same, false));
        cs_run_destroy(same);
    }
    cs_run_destroy(good);
    cs_run_destroy(bad);
    cs_target_release(t);
}

/* ---- an unsuitable metric ------------------------------------------------ */

enum { RIDGE = 50 };

/* Fills c with variances from 1e-4 to 1e4 after a reflection along v: D - (2 /
 * v'v) (D v v' + v v' D) + (2 / v'v)^2 (v'D v) v v'. */
static void reflected(double *c)
{
    double v[RIDGE], d[RIDGE], square = 0, between = 0;
    for (size_t i = 0; i < RIDGE; i++) {
        v[i] = sin(1.7 * (double)(i + 1)) + 0.3;
        d[i] = pow(10, 8 * (double)i / (RIDGE - 1) - 4);
        square += v[i] * v[i];
        between += v[i] * v[i] * d[i];
    }
    double f = 2 / square;
    for (size_t i = 0; i < RIDGE; i++)
        for (size_t j = 0; j < RIDGE; j++)
            c[i * RIDGE + j] = (i == j ? d[i] : 0) +
                               v[i] * v[j] * f * (f * between - d[i] - d[j]);
}

/* Returns the mean trajectory length of 100 draws of a single chain. With a
 * diagonal metric trajectories are truncated. The chain then mixes so slowly
 * that its correlations do not exceed the noise. */
static double length_on_a_ridge(cs_metric_kind kind, cs_metric_kind *found)
{
    static double covariance[RIDGE * RIDGE];
    cs_target *t = NULL;
    cs_run *r = NULL;
    reflected(covariance);
    const cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = RIDGE},
        {.name = "covariance",
         .kind = CS_PARAM_ARRAY,
         .given = 1,
         .array = covariance,
         .rows = RIDGE,
         .cols = RIDGE}};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), given, 2, &t, NULL),
        CS_OK);
    cs_arm_spec arm = {.name = "a",
                       .kernel = kernel_of("nuts"),
                       .tuner = window_tuner(300, kind)};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = 1,
                        .seed = 3,
                        .workers = 1,
                        .keep = 64};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    run_steps(r, 300);
    *found = cs_metric_kind_of(cs_run_arm(r, 0).metric);
    uint64_t before = cs_run_arm(r, 0).work.gradients;
    run_steps(r, 100);
    double each = (double)(cs_run_arm(r, 0).work.gradients - before) / 100;
    cs_run_destroy(r);
    cs_target_release(t);
    return each;
}

static void a_metric_that_does_not_serve_is_looked_at_again(void **state)
{
    cs_metric_kind kind;
    (void)state;
    assert_true(length_on_a_ridge(CS_METRIC_DIAGONAL, &kind) > 500);
    assert_int_equal(kind, CS_METRIC_DIAGONAL);
    assert_true(length_on_a_ridge((cs_metric_kind)CS_TUNER_CHOOSES, &kind) <
                100);
    assert_int_equal(kind, CS_METRIC_DENSE);
}

/* ---- quality of the result ----------------------------------------------- */

typedef struct heard {
    double sum, n;
} heard;

static void hear(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    heard *to = self;
    (void)arm, (void)chain;
    for (size_t i = 0; i < n; i++)
        to->sum += rows[i * (3 + 4 + DIM) + 1];
    to->n += (double)n;
}

/* Returns the mean acceptance of 400 draws per chain. */
static double acceptance(cs_run *r)
{
    const char *const *name;
    heard to = {0};
    assert_int_equal(cs_run_columns(r, 0, &name), 7);
    assert_string_equal(name[1], "accept_stat__");
    assert_int_equal(cs_run_sink(r, hear, &to, 1, NULL), CS_OK);
    run_steps(r, 400);
    assert_int_equal(cs_run_sink(r, NULL, NULL, 0, NULL), CS_OK);
    assert_true(to.n >= 400);
    return to.sum / to.n;
}

static void what_is_found_is_good(void **state)
{
    cs_target *t = far_away();
    (void)state;
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        cs_tuner tuner = window_tuner(WARMUP, (cs_metric_kind)kind);
        cs_run *r = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
        run_steps(r, WARMUP);
        const cs_metric *m = cs_run_arm(r, 0).metric;
        bool dense = kind == CS_METRIC_DENSE;
        for (size_t i = 0; i < DIM; i++)
            for (size_t j = 0; j < DIM; j++) {
                if (i != j && !dense)
                    continue;
                double is = m->covariance[dense ? i * DIM + j : i];
                assert_near(is / (far_sds[i] * far_sds[j]),
                            far_covariance(i, j) / (far_sds[i] * far_sds[j]), 0,
                            0.15);
            }
        assert_near(acceptance(r), 0.81, 0, 0.11);
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

/* A warm-up of any length works. From distant starts, the metric of a window of
 * 45 steps reflects the approach to the target. The 6 steps that follow do not
 * suffice to find a step size for this metric. In a warm-up of 149 or more
 * steps, the approach ends early enough. */
static void short_warm_ups_work(void **state)
{
    static const uint64_t n[] = {1, 10, 19, 20, 60, 149, 150, 300};
    static const char *const kernels[] = {"nuts", "hmc", "mala", "barker",
                                          "random_walk"};
    cs_target *t = far_away();
    (void)state;
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 5; k++) {
            cs_tuner tuner = window_tuner(n[i], CS_METRIC_DIAGONAL);
            cs_run *r = far_run(t, kernels[k], &tuner, CHAINS, 1, 8);
            run_steps(r, n[i]);
            cs_arm_view v = cs_run_arm(r, 0);
            assert_false(v.tuning.active);
            assert_true(v.warmup_steps == n[i]);
            assert_true((v.metric != NULL) == (n[i] >= 20));
            assert_true(isfinite(v.kernel->values[0]));
            if (k == 0 && n[i] >= 149)
                assert_near(acceptance(r), 0.83, 0, 0.13);
            cs_run_destroy(r);
        }
    cs_target_release(t);
}

/* ---- the same bits ------------------------------------------------------- */

enum { SHORT = 240, STEPS = 300 };

static void blocks_do_not_matter(void **state)
{
    static const size_t lanes[] = {1, 3, 8};
    cs_target *t = far_away();
    (void)state;
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        cs_tuner tuner = window_tuner(SHORT, (cs_metric_kind)kind);
        cs_run *one = far_run(t, "nuts", &tuner, 11, 1, 32);
        run_steps(one, STEPS);
        for (size_t i = 0; i < 3; i++) {
            cs_run *two = far_run(t, "nuts", &tuner, 11, 2, lanes[i]);
            for (int k = 0; k < 10; k++)
                run_steps(two, STEPS / 10);
            assert_true(same_run(one, two, true));
            cs_run_destroy(two);
        }
        cs_run_destroy(one);
    }
    cs_target_release(t);
}

/* Steps to be compared: during the search, in windows, at the ends of windows,
 * at the end of the warm-up, and among the draws. */
static const uint64_t moments[] = {0,   1,   40,  75,  99,  100, 101, 130,
                                   149, 150, 151, 189, 190, 239, 240, 280};
enum { MOMENTS = sizeof moments / sizeof *moments };

static void checkpoints_go_on(void **state)
{
    cs_target *t = far_away();
    cs_tuner tuner = window_tuner(SHORT, CS_METRIC_DENSE);
    cs_run *one = far_run(t, "nuts", &tuner, CHAINS, 1, 32);
    (void)state;
    run_steps(one, STEPS);
    for (size_t i = 0; i < MOMENTS; i++) {
        unsigned char *bytes;
        size_t size;
        cs_run *two = far_run(t, "nuts", &tuner, CHAINS, 2, 3);
        cs_run *three = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
        run_steps(two, moments[i]);
        assert_int_equal(cs_run_save(two, &bytes, &size, NULL), CS_OK);
        run_steps(three, 137);
        assert_int_equal(cs_run_load(three, bytes, size, NULL), CS_OK);
        cs_free(bytes);
        run_steps(three, STEPS - moments[i]);
        assert_true(same_run(one, three, true));
        assert_int_equal(cs_run_rewind(three, moments[i], NULL), CS_OK);
        assert_true(same_run(two, three, false));
        run_steps(three, STEPS - moments[i]);
        assert_true(same_run(one, three, false));
        cs_run_destroy(two);
        cs_run_destroy(three);
    }
    cs_run_destroy(one);
    cs_target_release(t);
}

static void the_way_back_is_the_same(void **state)
{
    cs_target *t = far_away();
    cs_tuner tuner = window_tuner(SHORT, CS_METRIC_DIAGONAL);
    cs_run *one = far_run(t, "nuts", &tuner, CHAINS, 2, 3);
    (void)state;
    for (size_t k = 0; k < 2 * MOMENTS; k++) {
        uint64_t back = moments[k < MOMENTS ? MOMENTS - 1 - k : k - MOMENTS];
        cs_run *two = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
        run_steps(one, STEPS - cs_run_steps(one));
        assert_int_equal(cs_run_rewind(one, back, NULL), CS_OK);
        run_steps(two, back);
        assert_true(same_run(one, two, true));
        run_steps(one, STEPS - back);
        run_steps(two, STEPS - back);
        assert_true(same_run(one, two, true));
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    cs_target_release(t);
}

/* A rewind, followed by a return to the later step, does not change the states
 * of any step. */
static void travels_change_nothing(void **state)
{
    cs_target *t = far_away();
    cs_tuner tuner = window_tuner(SHORT, CS_METRIC_DIAGONAL);
    cs_run *one = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
    (void)state;
    run_steps(one, STEPS);
    for (size_t k = 0; k < 24; k++) { /* each k rewinds to another step first */
        uint64_t to = moments[(5 * k + 8) % MOMENTS];
        cs_run *two = far_run(t, "nuts", &tuner, CHAINS, 1, 8);
        assert_int_equal(cs_run_travel(one, 37 * k % STEPS, NULL), CS_OK);
        assert_int_equal(cs_run_travel(one, to, NULL), CS_OK);
        run_steps(two, to);
        assert_true(same_run(one, two, true));
        cs_run_destroy(two);
    }
    cs_run_destroy(one);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(windows_are_stans),
    cmocka_unit_test(a_run_shows_its_windows),
    cmocka_unit_test(steps_are_dual_averages),
    cmocka_unit_test(a_search_cut_short_is_of_its_metric),
    cmocka_unit_test(searches_end),
    cmocka_unit_test(metrics_are_their_formula),
    cmocka_unit_test(one_bad_chain_is_withstood),
    cmocka_unit_test(a_metric_that_does_not_serve_is_looked_at_again),
    cmocka_unit_test(what_is_found_is_good),
    cmocka_unit_test(short_warm_ups_work),
    cmocka_unit_test(blocks_do_not_matter),
    cmocka_unit_test(checkpoints_go_on),
    cmocka_unit_test(the_way_back_is_the_same),
    cmocka_unit_test(travels_change_nothing),
};
TESTS(test_window_adaptation)
