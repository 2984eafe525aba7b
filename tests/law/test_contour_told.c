/* What contour SGLD tells of its bins: each step of a run and the report at its
 * end, against the formulas applied to the bins that the chains were in. */
#include "base/memory.h"
#include "run/remarks.h"
#include "run/run.h"
#include "support/by_name.h"
#include "support/contour.h"
#include "support/support.h"

#include <string.h>

enum { CHAINS = 6, STEPS = 600, MOST = 16, ROOM = 1 << 16 };

/* ---- each step, as a probe sees it --------------------------------------- */

typedef struct seen {
    double bin, multiplier, learning, log_weight;
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
        row[0] = s->info->stat[l] - 1;
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

/* ---- the run ------------------------------------------------------------- */

typedef struct trial {
    contour c;
    double gain;
    size_t chains;
} trial;

static const trial usual = {{.rate = 0.1,
                             .temperature = 1,
                             .zeta = 0.75,
                             .first = 2,
                             .width = 0.5,
                             .clamp = 5,
                             .bins = 9},
                            0.03,
                            CHAINS};

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
        {.name = "update", .given = 1, .number = c->plain},
        {.name = "gain", .given = 1, .number = r->gain}};
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find("csgld"), given,
                                    sizeof given / sizeof *given, NULL),
                     CS_OK);
    return k;
}

/* After all steps, and what was seen of them. */
static cs_run *open_run(const trial *r, size_t lanes)
{
    cs_arm_spec arm = {.name = "a", .kernel = kernel_for(r)};
    cs_probe_spec probe = {.type = &records, .every = 1};
    cs_run_spec spec = {.target = target_of("mixture"),
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = r->chains,
                        .seed = 9,
                        .probes = &probe,
                        .n_probes = 1,
                        .workers = 2,
                        .block_lanes = lanes};
    cs_run *run;
    cs_flat none;
    assert_int_equal(cs_run_create(&run, &spec, NULL), CS_OK);
    cs_target_release(spec.target);
    run_steps(run, STEPS);
    cs_flat_begin(&none, &none, 0);
    cs_run_report_one(run, 0, "records", "", &none);
    return run;
}

/* ---- the same by the formulas -------------------------------------------- */

typedef struct known {
    double theta[CHAINS][MOST], last[CHAINS][MOST]; /* 0: never visited */
    double visits[MOST], marked;
} known;

static bool is_learning(const trial *r, double last)
{
    return r->gain > 0 && (last == 0 || fabs(last) > 0.05);
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
    double was = theta[j];
    contour_update(&r->c, theta, j, r->gain);
    double by = log(theta[j] / was);
    k->last[c][j] = by == 0 ? 1e-300 : by;
    k->visits[j]++;
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
    for (size_t step = 0; step < STEPS; step++)
        for (size_t c = 0; c < r->chains; c++)
            follow_step(r, k, c, step);
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

static void compare_weights(const trial *r, const known *k, const cs_flat *f)
{
    size_t n = r->c.bins;
    const double *weight = array(f, "bin_weight", n);
    const double *spread = array(f, "bin_spread", n);
    const double *by = array(f, "bin_multiplier", n);
    double chains = (double)r->chains;
    for (size_t i = 0; i < n; i++) {
        double mean = 0, log_mean = 0, square = 0, multiplier = 0;
        for (size_t c = 0; c < r->chains; c++) {
            mean += k->theta[c][i] / chains;
            log_mean += log(k->theta[c][i]) / chains;
            multiplier += contour_multiplier(&r->c, k->theta[c], i) / chains;
        }
        for (size_t c = 0; c < r->chains; c++)
            square += pow(log(k->theta[c][i]) - log_mean, 2);
        assert_near(weight[i], mean, 1e-9, 1e-12);
        assert_near(by[i], multiplier, 1e-9, 1e-9);
        if (r->chains > 1)
            assert_near(spread[i], sqrt(square / (chains - 1)), 1e-9, 1e-9);
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
    double chains = (double)r->chains;
    for (size_t i = 0; i < n; i++) {
        double learn = 0;
        for (size_t c = 0; c < r->chains; c++)
            learn += is_learning(r, k->last[c][i]) / chains;
        assert_near(visits[i], k->visits[i] / (chains * STEPS), 1e-12, 0);
        assert_near(learning[i], learn, 1e-12, 1e-12);
        assert_near(high[i], r->c.first + (double)i * r->c.width, 1e-12, 0);
        assert_near(low[i], high[i] - r->c.width, 1e-12, 1e-12);
    }
}

static void try_one(const trial *r)
{
    static known k;
    static unsigned char room[ROOM];
    cs_flat f;
    cs_run *run = open_run(r, 4);
    follow(r, &k);
    cs_flat_begin(&f, room, sizeof room);
    assert_true(cs_run_report_one(run, 0, "kernel", "", &f));
    compare_weights(r, &k, &f);
    compare_visits(r, &k, &f);
    double draws = (double)(r->chains * STEPS);
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
    r.gain = 0.06; /* some bins are moved by more than 5 %, some by less */
    try_one(&r);
    r.c.bins = MOST; /* the last of which nobody sees */
    r.c.width = 1;
    try_one(&r);
    r.gain = 0; /* then nothing is learned, the bins that nobody saw neither */
    try_one(&r);
}

/* Other kernels have no such bins; and what has gone wrong is said. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_is_the_formulas),
        cmocka_unit_test(the_summary_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
