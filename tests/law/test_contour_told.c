/* Tests the report that contour SGLD makes about its bins, for each step of a
 * run and at the end. The reported values are compared with the formulas,
 * applied to the bins that the chains visit. */
#include "base/memory.h"
#include "kernels/contour/contour.h"
#include "run/run.h"
#include "run/summary/known.h"
#include "run/summary/warned.h"
#include "run/views/reports.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/contour.h"
#include "support/run_laws.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = 6, STEPS = 600, MOST = 16, ROOM = 1 << 16 };

/* ---- values of each step, recorded by a probe ---------------------------- */

typedef struct seen {
    double bin, multiplier, learning, log_weight; /* bin is -1 for a failed
                                                   * chain */
} seen;
enum { SEEN = sizeof(seen) / sizeof(double) };

static seen saw[CHAINS][STEPS];

static cs_status records_create(cs_probe *p, cs_target *t, cs_error *err)
{
    (void)t, (void)err;
    p->words = STEPS * SEEN;
    return CS_OK;
}

static void records_observe(const cs_probe *p, const cs_step_view *s,
                            double *memory)
{
    (void)p;
    size_t n = s->lanes;
    double *row = memory + (s->step - 1) * SEEN * n;
    for (size_t l = 0; l < s->live; l++, row++) {
        row[0] = s->failed[l] ? -1 : s->info->stat[l] - 1;
        row[n] = s->info->stat[n + l];
        row[2 * n] = s->info->stat[2 * n + l];
        row[3 * n] = s->info->log_weight[l];
    }
}

static void records_report(const cs_probe *p, const cs_lane_memory *chain,
                           size_t n, const char *prefix, cs_flat *out)
{
    (void)p, (void)prefix, (void)out;
    for (size_t c = 0; c < n; c++)
        for (size_t w = 0; w < STEPS * SEEN; w++)
            (&saw[c][0].bin)[w] = chain[c].word[w * chain[c].stride];
}

static const cs_probe_type records = {.name = "records",
                                      .create = records_create,
                                      .observe = records_observe,
                                      .report = records_report};

/* ---- a target on which chains fail --------------------------------------- */

static double breaking(const double *x, double *g)
{
    *g = -x[0];
    return x[0] > 3 ? HUGE_VAL : -x[0] * x[0] / 2 - 1;
}
SMALL(breaking, CS_CONTINUOUS, 1, 0, 0);

/* ---- the run ------------------------------------------------------------- */

typedef struct trial {
    contour c;
    double gain;
    size_t chains, share;
    const cs_target_type *target; /* NULL: the mixture */
    uint64_t steps; /* 0: a default length; each step is checked */
} trial;

static const trial usual = {{.rate = 0.1,
                             .temperature = 1,
                             .zeta = 0.75,
                             .first = 2,
                             .width = 0.5,
                             .clamp = 5,
                             .bins = 9},
                            0.03,
                            CHAINS,
                            0,
                            NULL,
                            0};

static cs_kernel kernel_for(const trial *r)
{
    const contour *c = &r->c;
    const cs_value given[] = {
        {.name = "rate", .given = 1, .number = c->rate},
        {.name = "zeta", .given = 1, .number = c->zeta},
        {.name = "first", .given = 1, .number = c->first},
        {.name = "width", .given = 1, .number = c->width},
        {.name = "bins", .given = 1, .number = (double)c->bins},
        {.name = "clamp", .given = 1, .number = c->clamp},
        {.name = "multiplier", .given = 1, .number = c->forward},
        {.name = "update", .given = 1, .number = c->by_rho ? 2 : c->plain},
        {.name = "rho", .given = 1, .number = c->rho},
        {.name = "share", .given = 1, .number = (double)r->share},
        {.name = "gain", .given = 1, .number = r->gain}};
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("csgld"), given,
                                    sizeof given / sizeof *given, NULL),
                     CS_OK);
    return k;
}

/* Opens a run and advances it to its end. Unless `steps` is set, copies the
 * values of each step to `saw`. */
static cs_run *open_run(const trial *r, size_t lanes)
{
    cs_arm_spec arm = {.name = "a", .kernel = kernel_for(r)};
    cs_probe_spec probe = {.type = &records, .every = 1};
    cs_run_spec spec = {.arms = &arm,
                        .n_arms = 1,
                        .chains = r->chains,
                        .seed = 9,
                        .probes = &probe,
                        .n_probes = r->steps ? 0 : 1,
                        .workers = 2,
                        .block_lanes = lanes};
    cs_run *run;
    cs_flat none;
    const cs_target_type *type =
        r->target ? r->target : cs_target_find("mixture");
    assert_int_equal(cs_target_create(type, NULL, 0, &spec.target, NULL),
                     CS_OK);
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    run_steps(run, r->steps ? r->steps : STEPS);
    cs_flat_begin(&none, &none, 0);
    if (!r->steps)
        cs_run_report_one(run, 0, "records", "", &none);
    return run;
}

/* ---- the values of each step by the formulas ----------------------------- */

typedef struct known {
    /* Weights, and the relative change of each weight at the last visit to its
     * bin (0: no visit). */
    double theta[CHAINS][MOST], last[CHAINS][MOST];
    double visits[MOST], marked;
} known;

static bool is_learning(const trial *r, double last)
{
    return r->gain > 0 && (last == 0 || fabs(last) > 0.05);
}

static void note(known *k, size_t c, size_t j, double by)
{
    k->last[c][j] = by == 0 ? 1e-300 : by;
}

/* Averages the changes of all live chains into the shared weights; each chain
 * has a copy of these weights. */
static void follow_exchange(const trial *r, known *k, size_t step)
{
    size_t j[CHAINS], n = 0, all = r->c.bins;
    double theta[MOST];
    for (size_t c = 0; c < r->chains; c++)
        if (saw[c][step].bin >= 0) {
            j[n++] = (size_t)saw[c][step].bin;
            memcpy(theta, k->theta[c], sizeof theta);
        }
    double was[MOST];
    memcpy(was, theta, sizeof was);
    contour_meet(&r->c, theta, j, n, r->gain);
    for (size_t c = 0; c < r->chains; c++) {
        if (saw[c][step].bin < 0)
            continue;
        memcpy(k->theta[c], theta, all * sizeof *theta);
        for (size_t i = 0; i < n; i++)
            note(k, c, j[i], log(theta[j[i]] / was[j[i]]));
    }
}

static void follow_step(const trial *r, known *k, size_t c, size_t step)
{
    const seen *now = &saw[c][step];
    double *theta = k->theta[c];
    size_t j = (size_t)now->bin;
    assert_true(now->bin >= 0 && now->bin < (double)r->c.bins);
    if (step > 0) {
        size_t from = (size_t)saw[c][step - 1].bin;
        assert_near(now->multiplier, contour_multiplier(&r->c, theta, from),
                    1e-9, 1e-9);
    }
    k->visits[j]++;
    if (!r->share) {
        double was = theta[j];
        contour_update(&r->c, theta, j, r->gain);
        note(k, c, j, log(theta[j] / was));
    }
    bool learning = is_learning(r, k->last[c][j]);
    k->marked += learning;
    assert_true((now->learning == 1) == learning);
    assert_near(now->log_weight, r->c.zeta * log(theta[j]), 1e-9, 1e-9);
}

static void follow(const trial *r, known *k)
{
    memset(k, 0, sizeof *k);
    for (size_t c = 0; c < r->chains; c++)
        for (size_t i = 0; i < r->c.bins; i++)
            k->theta[c][i] = 1 / (double)r->c.bins;
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t c = 0; c < r->chains; c++)
            if (saw[c][step].bin >= 0)
                follow_step(r, k, c, step);
        if (r->share && (step + 1) % r->share == 0)
            follow_exchange(r, k, step);
    }
}

/* Applies Eq. 57 to the logarithms of a chain's own weights, in long double.
 * Logarithms never underflow. */
static void follow_logs(const trial *r, long double *theta, size_t j)
{
    long double zeta = r->c.zeta, gain = r->gain, sum = 0, top = -HUGE_VALL;
    long double c = expl(logl(gain) + zeta * theta[j]);
    long double d = gain * gain * (long double)r->c.rho;
    for (size_t i = 0; i < r->c.bins; i++) {
        long double less = theta[i] + log1pl(i < j ? -c : -(c + d));
        long double more = i == j ? logl(c + d) : -HUGE_VALL;
        long double high = fmaxl(less, more), low = fminl(less, more);
        theta[i] = high + log1pl(expl(low - high));
        top = fmaxl(top, theta[i]);
    }
    for (size_t i = 0; i < r->c.bins; i++)
        sum += expl(theta[i] - top);
    for (size_t i = 0; i < r->c.bins; i++)
        theta[i] -= top + logl(sum);
}

/* ---- the report ---------------------------------------------------------- */

static const double *array(const cs_flat *f, const char *key, size_t n)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "%s", key) || !e.data)
        fail_msg("no %s", key);
    assert_int_equal(e.rows * e.cols, n);
    return e.data;
}

static bool lives(size_t c)
{
    return saw[c][STEPS - 1].bin >= 0;
}

static double living(const trial *r)
{
    double n = 0;
    for (size_t c = 0; c < r->chains; c++)
        n += lives(c);
    return n;
}

static void compare_weights(const trial *r, const known *k, const cs_flat *f)
{
    size_t n = r->c.bins;
    const double *weight = array(f, "bin_weight", n);
    const double *spread = array(f, "bin_spread", n);
    const double *by = array(f, "bin_multiplier", n);
    double chains = living(r);
    for (size_t i = 0; i < n; i++) {
        double mean = 0, log_mean = 0, square = 0, multiplier = 0;
        for (size_t c = 0; c < r->chains; c++) {
            if (!lives(c))
                continue;
            mean += k->theta[c][i] / chains;
            log_mean += log(k->theta[c][i]) / chains;
            multiplier += contour_multiplier(&r->c, k->theta[c], i) / chains;
        }
        for (size_t c = 0; c < r->chains; c++)
            square += lives(c) ? pow(log(k->theta[c][i]) - log_mean, 2) : 0;
        assert_near(weight[i], mean, 1e-9, 1e-12);
        assert_near(by[i], multiplier, 1e-9, 1e-9);
        if (r->chains > 1)
            assert_near(spread[i], sqrt(square / (chains - 1)), 1e-9, 1e-7);
        else
            assert_true(isnan(spread[i]));
    }
}

static void compare_visits(const trial *r, const known *k, const cs_flat *f)
{
    size_t n = r->c.bins;
    const double *visits = array(f, "bin_visits", n);
    const double *learning = array(f, "bin_learning", n);
    const double *low = array(f, "bin_low", n);
    const double *high = array(f, "bin_high", n);
    double chains = living(r), steps = 0;
    for (size_t i = 0; i < n; i++)
        steps += k->visits[i];
    for (size_t i = 0; i < n; i++) {
        double learn = 0;
        for (size_t c = 0; c < r->chains; c++)
            learn += lives(c) ? is_learning(r, k->last[c][i]) / chains : 0;
        assert_near(visits[i], k->visits[i] / steps, 1e-12, 0);
        assert_near(learning[i], learn, 1e-12, 1e-12);
        assert_near(high[i], r->c.first + (double)i * r->c.width, 1e-12, 0);
        assert_near(low[i], high[i] - r->c.width, 1e-12, 1e-12);
    }
}

static void try_one(const trial *r)
{
    static known k;
    static unsigned char buffer[ROOM];
    cs_flat f;
    cs_run *run = open_run(r, 4);
    follow(r, &k);
    cs_flat_begin(&f, buffer, sizeof buffer);
    assert_true(cs_run_report_one(run, 0, "kernel", "", &f));
    compare_weights(r, &k, &f);
    compare_visits(r, &k, &f);
    double draws = 0;
    for (size_t i = 0; i < r->c.bins; i++)
        draws += k.visits[i];
    assert_near(cs_learning_share(run, 0), k.marked / draws, 1e-12, 0);
    assert_true((k.marked > 0 && k.marked < draws) || r->gain == 0);
    cs_run_destroy(run);
}

static void the_report_is_the_formulas(void **state)
{
    (void)state;
    trial r = usual;
    try_one(&r);
    r.chains = 1;
    try_one(&r);
    r.chains = CHAINS;
    r.c.plain = r.c.forward = true;
    r.gain = 0.06; /* some weights change by more than 5 %, and some by less */
    try_one(&r);
    r.c.bins = MOST; /* the last bin is never visited */
    r.c.width = 1;
    try_one(&r);
    r.gain = 0; /* the weights never change */
    try_one(&r);
}

/* ---- zeta as in the paper's figures -------------------------------------- */

static double multiplier_by_logs(const contour *c, const long double *theta,
                                 size_t j)
{
    if (j + 1 == c->bins)
        return 1;
    double slope = (double)(theta[j] - theta[j ? j - 1 : 0]) / c->width;
    return fmin(fmax(1 + c->zeta * slope, -c->clamp), c->clamp);
}

/* Compares one chain with the formulas; returns the number of steps in which
 * the multiplier is not clamped. */
static double compare_logs(const trial *r, size_t c)
{
    long double theta[MOST];
    double unclamped = 0;
    for (size_t i = 0; i < r->c.bins; i++)
        theta[i] = -logl((long double)r->c.bins);
    for (size_t k = 0; k < STEPS; k++) {
        const seen *now = &saw[c][k];
        size_t j = (size_t)now->bin;
        if (k > 0) {
            size_t from = (size_t)saw[c][k - 1].bin;
            double want = multiplier_by_logs(&r->c, theta, from);
            assert_near(now->multiplier, want, 1e-6, 1e-6);
            unclamped += fabs(want) < r->c.clamp && want != 1;
        }
        follow_logs(r, theta, j);
        double want = (double)(r->c.zeta * theta[j]);
        assert_near(now->log_weight, want, 1e-12, 1e-8);
    }
    return unclamped;
}

/* theta^zeta is below the range of doubles, but theta is not. */
static void high_zeta_is_the_formulas_by_logarithms(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        trial r = usual;
        r.c.by_rho = true;
        r.c.rho = 1;
        r.c.zeta = k == 0 ? 1e6 : 3e6;
        r.c.clamp = k == 2 ? 1e12 : 1e8; /* upper limit of the multipliers */
        r.c.rate = k == 2 ? 1e-10 : 1e-8;
        r.gain = k == 2 ? 0.3 : 0.01;
        cs_run *run = open_run(&r, 4);
        double unclamped = 0;
        for (size_t c = 0; c < r.chains; c++)
            unclamped += compare_logs(&r, c);
        assert_true(unclamped > STEPS);
        cs_run_destroy(run);
    }
}

/* ---- weights that chains share ------------------------------------------- */

static void shared_weights_are_the_formulas(void **state)
{
    (void)state;
    trial r = usual;
    r.share = 1;
    r.gain = 0.3; /* high, since each of six chains contributes only 1/6 */
    try_one(&r);
    r.share = 7;
    try_one(&r);
    r.c.plain = true;
    try_one(&r);
    r.c.plain = false;
    r.c.by_rho = true;
    r.c.rho = 2;
    try_one(&r);
    r.share = 1;
    r.c.bins = MOST;
    try_one(&r);
}

static double near_hills(double x, double *slope)
{
    double a = log(0.4) - (x + 2.4) * (x + 2.4) / 2;
    double b = log(0.6) - (x - 1.6) * (x - 1.6) / 2;
    double top = fmax(a, b), sum = top + log1p(exp(fmin(a, b) - top));
    *slope = exp(a - sum) * (-2.4 - x) + exp(b - sum) * (1.6 - x);
    return sum - log(2 * M_PI) / 2;
}

static double near_wells(const double *x, double *g)
{
    return near_hills(x[0], g);
}
SMALL(near_wells, CS_CONTINUOUS, 1, 0, 0);

/* If many chains learn shared weights, the stationary weights equal those that
 * a single chain learns. */
static void shared_weights_rest_where_others_do(void **state)
{
    (void)state;
    enum { TOGETHER = 32, LEARN = 120000, STEADY = 3 };
    static unsigned char buffer[ROOM];
    const double within = 0.03; /* the effect of a gain of 0.001 */
    for (int kind = 0; kind < STEADY; kind++) {
        double rest[CONTOUR_BINS];
        trial r = {.c = usual.c, .gain = 0.001, .share = kind ? 1 : 3};
        r.target = &small_near_wells;
        r.c.log_density = near_hills;
        r.c.low = -12;
        r.c.high = 11;
        r.c.width = 1;
        r.c.bins = 5;
        r.c.plain = kind == 1;
        r.c.zeta = r.c.plain ? 2 : 0.75;
        r.c.by_rho = kind == 2;
        r.c.rho = 1;
        r.chains = TOGETHER;
        r.steps = LEARN;
        cs_flat f;
        cs_run *run = open_run(&r, 0);
        cs_flat_begin(&f, buffer, sizeof buffer);
        assert_true(cs_run_report_one(run, 0, "kernel", "", &f));
        const double *weight = array(&f, "bin_weight", r.c.bins);
        contour_rest_of_chain(&r.c, rest);
        for (size_t i = 0; i < r.c.bins; i++)
            assert_near(weight[i], rest[i], within, 1e-3);
        cs_run_destroy(run);
    }
}

/* Failed chains, including the last one, do not contribute to the shared
 * weights. */
static void failed_chains_leave(void **state)
{
    (void)state;
    for (int high = 0; high < 2; high++) {
        trial r = usual;
        r.target = &small_breaking;
        r.share = 2;
        r.gain = 0.3;
        r.c.first = 1.3;
        r.c.rate = 0.02;
        r.c.by_rho = high;
        r.c.rho = 2;
        try_one(&r);
        assert_true(living(&r) > 0 && living(&r) < CHAINS);
    }
}

/* A chain that failed and is restored has an old copy of the weights. The copy
 * is then replaced by the weights of the other chains. */
static void who_comes_back_learns_all(void **state)
{
    (void)state;
    enum { MET = 3, WORDS = 1 + 5 * MOST + CS_CONTOUR_WORDS };
    for (int high = 0; high < 2; high++) {
        static double memory[MET][WORDS];
        trial r = usual;
        cs_contour_bins b[MET];
        bool failed[MET] = {false, false, true};
        r.share = 1;
        r.c.by_rho = high;
        r.c.rho = 2;
        const cs_kernel k = kernel_for(&r);
        cs_target *t = target_of("mixture"); /* one-dimensional */
        cs_chain_ref lane[MET];
        const cs_exchange m = {.target = t,
                               .values = k.values,
                               .chains = MET,
                               .failed = failed,
                               .lane = lane};
        memset(memory, 0, sizeof memory);
        for (size_t c = 0; c < MET; c++) {
            lane[c] = (cs_chain_ref){.memory = memory[c], .stride = 1};
            b[c] = cs_contour_bins_at(memory[c] + 1, r.c.bins, 1);
            b[c].word[CS_CONTOUR_SCALE] = 1;
            b[c].word[CS_CONTOUR_INCREMENT] = 0.1;
            b[c].word[CS_CONTOUR_SECOND] = high ? 0.1 : 0;
            for (size_t i = 0; i < r.c.bins; i++)
                b[c].theta[i] = 1 / (double)r.c.bins;
        }
        for (size_t step = 0; step < 4; step++) {
            failed[2] = step < 2;
            for (size_t c = 0; c < MET; c++)
                b[c].word[CS_CONTOUR_BIN] = (double)(2 * step + c % 2);
            k.type->exchange->run(&m);
            for (size_t c = 1; c < (failed[2] ? 2 : MET); c++) {
                assert_memory_equal(b[c].theta, b[0].theta, r.c.bins * 8);
                assert_memory_equal(b[c].last, b[0].last, r.c.bins * 8);
                assert_true(b[c].word[0] == b[0].word[0]);
            }
        }
        cs_target_release(t);
    }
}

/* Tests a single chain that shares its weights. Its state, bins and multipliers
 * equal, bit for bit, those of a chain that does not share weights. Only the
 * weights of the draws differ: a draw is weighted by the weights at its own
 * step. */
static void one_chain_is_as_of_its_own(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        static seen own[STEPS];
        trial r = usual;
        double x[2];
        r.chains = 1;
        r.c.plain = kind == 1;
        r.c.by_rho = kind == 2;
        r.c.rho = 2;
        r.gain = 0.2; /* large, so the scale is renormalised */
        for (r.share = 0; r.share < 2; r.share++) {
            cs_run *run = open_run(&r, 0);
            x[r.share] = cs_run_chain(run, 0, 0).x[0];
            if (!r.share)
                memcpy(own, saw[0], sizeof own);
            cs_run_destroy(run);
        }
        assert_memory_equal(&x[0], &x[1], sizeof *x);
        for (size_t k = 0; k < STEPS; k++)
            /* compares two adjacent members: bin and multiplier */
            assert_memory_equal(&own[k].bin, &saw[0][k].bin,
                                2 * sizeof(double));
    }
}

static void shared_weights_need_no_order(void **state)
{
    (void)state;
    cs_target *t = target_of("mixture");
    for (int kind = 0; kind < 3; kind++) {
        trial r = usual;
        r.c.plain = kind == 1;
        r.c.by_rho = kind == 2;
        r.share = kind ? 1 : 7;
        r.c.rho = 2;
        r.gain = 0.3;
        const cs_kernel k = kernel_for(&r);
        assert_true(run_blocks(t, &k));
        assert_true(run_resume(t, &k));
        assert_true(run_rewind(t, &k));
        assert_true(kind || run_memory(t, &k));
    }
    cs_target_release(t);
}

/* If the kernel learns its weights, the summary states that they are still
 * being learned. If the kernel does not learn, the summary does not state
 * this. */
static void the_summary_says_so(void **state)
{
    (void)state;
    for (int learns = 0; learns < 2; learns++) {
        trial r = usual;
        cs_page p = {0};
        r.gain = learns ? r.gain : 0;
        cs_run *run = open_run(&r, 0);
        cs_arm_words(run, 0, NULL, &p);
        assert_true((strstr(p.text, "still being learned") != NULL) == learns);
        cs_free(p.text);
        cs_run_destroy(run);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_report_is_the_formulas),
    cmocka_unit_test(high_zeta_is_the_formulas_by_logarithms),
    cmocka_unit_test(shared_weights_are_the_formulas),
    cmocka_unit_test(shared_weights_rest_where_others_do),
    cmocka_unit_test(failed_chains_leave),
    cmocka_unit_test(who_comes_back_learns_all),
    cmocka_unit_test(one_chain_is_as_of_its_own),
    cmocka_unit_test(shared_weights_need_no_order),
    cmocka_unit_test(the_summary_says_so),
};
TESTS(test_contour_told)
