/* Tests the mass that a target has in energy bins, which is displayed next to a
 * kernel's learned weights. The masses are compared with sums computed by the
 * test. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/run.h"
#include "run/summary/bin_text.h"
#include "run/views/bin_truth.h"
#include "run/views/reports.h"
#include "target/enumeration.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 1 << 18, MOST = 128 };

static cs_run *run_of(cs_target *t, const cs_kernel *k)
{
    const cs_arm_spec arm = {.name = "a", .kernel = *k};
    const cs_run_spec spec = {
        .target = t, .arms = &arm, .n_arms = 1, .chains = 3};
    cs_run *r = NULL;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

static void set(cs_kernel *k, const char *name, double value)
{
    int i = cs_param_find(k->type->params, k->type->n_params, name);
    assert_true(i >= 0);
    k->values[i] = value;
}

static cs_kernel csgld(double first, double width, double bins, double heat)
{
    cs_kernel k = kernel_of("csgld");
    set(&k, "first", first);
    set(&k, "width", width);
    set(&k, "bins", bins);
    set(&k, "temperature", heat);
    set(&k, "rate", 1e-3);
    return k;
}

static const double *row_of(const cs_flat *f, const char *key, size_t n)
{
    cs_flat_entry e;
    if (!cs_flat_find(f->base, f->used, &e, "%s", key) || !e.data)
        return NULL;
    assert_int_equal(e.rows * e.cols, n);
    return e.data;
}

/* Adds a mass to the bin that contains an energy. The bin is found by a
 * search. */
static void add(double energy, double mass, double first, double width,
                size_t bins, double *to)
{
    size_t i = 0;
    while (i + 1 < bins && energy > first + (double)i * width)
        i++;
    to[i] += mass;
}

static void scale(double *mass, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += mass[i];
    for (size_t i = 0; i < n; i++)
        mass[i] /= sum;
}

/* Computes the bin masses of the density 0.4 N(-6, 1) + 0.6 N(4, 1) to the
 * power 1 / heat. */
static void sum_of_two_hills(double first, double width, size_t bins,
                             double heat, double *mass)
{
    enum { POINTS = 2000000 };
    memset(mass, 0, bins * sizeof *mass);
    for (int i = 0; i < POINTS; i++) {
        double x = -60 + 120 * (i + 0.5) / POINTS;
        double p = 0.4 * exp(-(x + 6) * (x + 6) / 2) +
                   0.6 * exp(-(x - 4) * (x - 4) / 2);
        double energy = -log(p / sqrt(2 * M_PI));
        if (isfinite(energy))
            add(energy, exp(-energy / heat), first, width, bins, mass);
    }
    scale(mass, bins);
}

static void on_a_line(void **state)
{
    (void)state;
    static const struct {
        double first, width, heat;
        size_t bins;
    } row[] = {{2, 1, 1, 20}, {1.2, 0.1, 1, 60}, {2, 2, 3, 12}};
    static _Alignas(8) unsigned char memory[BYTES];
    cs_target *t = target_of("mixture");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cs_kernel k =
            csgld(row[i].first, row[i].width, (double)row[i].bins, row[i].heat);
        cs_run *r = run_of(t, &k);
        double mass[MOST];
        cs_flat f;
        cs_flat_begin(&f, memory, sizeof memory);
        assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
        const double *truth = row_of(&f, "bin_truth", row[i].bins);
        assert_non_null(truth);
        sum_of_two_hills(row[i].first, row[i].width, row[i].bins, row[i].heat,
                         mass);
        for (size_t b = 0; b < row[i].bins; b++)
            assert_near(truth[b], mass[b], 5e-3, 1e-14);
        cs_run_destroy(r);
    }
    cs_target_release(t);
}

/* The grid of this test covers an area four times as large as the view. Its
 * cells are a third as wide as the cells of the program's grid. */
static void in_the_plane(void **state)
{
    enum { SIDE = 1500, BINS = 12 };
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("nine_modes");
    const double *view = t->exact.view, first = 1, width = 1;
    double mass[BINS] = {0};
    cs_kernel k = csgld(first, width, BINS, 1);
    cs_run *r = run_of(t, &k);
    cs_flat f;
    double *x = cs_alloc(2 * SIDE, sizeof *x),
           *logp = cs_alloc(SIDE, sizeof *x);
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j < SIDE; j++)
            for (size_t d = 0; d < 2; d++) {
                double half = view[2 * d + 1] - view[2 * d];
                double middle = (view[2 * d] + view[2 * d + 1]) / 2;
                double at = ((double)(d ? j : i) + 0.5) / SIDE;
                x[2 * j + d] = middle + half * (2 * at - 1);
            }
        assert_true(cs_enumeration_evaluate(t, x, SIDE, logp));
        for (size_t j = 0; j < SIDE; j++)
            add(-logp[j], exp(logp[j]), first, width, BINS, mass);
    }
    scale(mass, BINS);
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
    const double *truth = row_of(&f, "bin_truth", BINS);
    assert_non_null(truth);
    for (size_t b = 0; b < BINS; b++)
        if (!isnan(truth[b]))
            assert_near(truth[b], mass[b], 0.02, 1e-7);
    assert_false(isnan(truth[0]) || isnan(truth[4]));
    cs_free(x);
    cs_free(logp);
    cs_run_destroy(r);
    cs_target_release(t);
}

static void put_borders(cs_flat *f, double first, double width, size_t bins)
{
    double *low = cs_flat_array(f, 1, bins, "bin_low");
    double *high = cs_flat_array(f, 1, bins, "bin_high");
    for (size_t i = 0; i < bins; i++) {
        low[i] = first + ((double)i - 1) * width;
        high[i] = low[i] + width;
    }
}

/* An energy on the border of two bins belongs to the lower bin. */
static void over_states(void **state)
{
    enum { BINS = 5 };
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("bernoulli4");
    cs_kernel k = kernel_of("gibbs");
    cs_run *r = run_of(t, &k);
    size_t n = (size_t)cs_space_states(&t->space), dim = t->space.dim;
    double *x = cs_alloc(n * dim, sizeof *x), *logp = cs_alloc(n, sizeof *x);
    double mass[BINS] = {0}, least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        cs_space_state(&t->space, i, x + i * dim);
    assert_true(cs_enumeration_evaluate(t, x, n, logp));
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, -logp[i]);
        most = fmax(most, -logp[i]);
    }
    double width = (most - least) / BINS; /* the lowest energy is on a border of
                                           * bins */
    for (size_t i = 0; i < n; i++)
        add(-logp[i], exp(logp[i]), least, width, BINS, mass);
    scale(mass, BINS);
    for (int now = 0; now < 2; now++) {
        cs_flat f;
        cs_flat_begin(&f, memory, sizeof memory);
        put_borders(&f, least, width, BINS);
        cs_bins_add_truth(r, &r->arm[0], "", &f, now);
        const double *truth = row_of(&f, "bin_truth", BINS);
        assert_int_equal(truth != NULL, now);
        assert_int_equal(cs_run_settle(r, 0), now);
        for (size_t b = 0; truth && b < BINS; b++)
            assert_near(truth[b], mass[b], 1e-12, 1e-15);
    }
    assert_true(mass[0] > 0 && mass[BINS - 1] > 0);
    cs_free(x);
    cs_free(logp);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* ---- flat-histogram kernels ---------------------------------------------- */

typedef struct flat_row {
    int of; /* binned quantity; 0: energy, 1: coordinate 2, 2: sum */
    bool uniform, window, shares;
    double first, width;
} flat_row;

enum { FLAT = 4 };
static const double wanted[FLAT] = {0.1, 0.2, 0.3, 0.4};

static cs_kernel samc(const flat_row *w)
{
    cs_kernel k, inner = kernel_of("gibbs");
    const double values[] = {w->of, 2, w->first, w->width, FLAT, w->uniform};
    static const char *const names[] = {"of",    "shown", "first",
                                        "width", "bins",  "measure"};
    cs_value given[8];
    for (size_t i = 0; i < 6; i++)
        given[i] = (cs_value){.name = names[i],
                              .kind = CS_PARAM_REAL,
                              .given = 1,
                              .number = values[i]};
    given[6] = (cs_value){.name = "window",
                          .kind = CS_PARAM_BOOL,
                          .given = 1,
                          .number = w->window};
    given[7] = (cs_value){.name = "shares",
                          .kind = CS_PARAM_ARRAY,
                          .given = 1,
                          .array = wanted,
                          .rows = FLAT,
                          .cols = 1};
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("samc"), given,
                                    w->shares ? 8 : 7, &inner, NULL),
                     CS_OK);
    return k;
}

/* Computes the masses, and the limit of the weights, by a sum over the
 * states. */
static void sum_of_states(const cs_target *t, const flat_row *w, double *mass)
{
    double x[8], logp, empty = 0, full = 0;
    memset(mass, 0, FLAT * sizeof *mass);
    for (size_t i = 0; i < (size_t)cs_space_states(&t->space); i++) {
        cs_space_state(&t->space, i, x);
        assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
        double v = w->of == 1 ? x[1] : w->of == 2 ? 0 : -logp;
        for (size_t d = 0; d < t->space.dim && w->of == 2; d++)
            v += x[d];
        bool in =
            v > w->first - w->width && v <= w->first + (FLAT - 1) * w->width;
        if (in || !w->window)
            add(v, w->uniform ? 1 : exp(logp), w->first, w->width, FLAT, mass);
    }
    for (size_t i = 0; i < FLAT; i++) {
        empty += mass[i] > 0 ? 0 : wanted[i];
        full += mass[i] > 0;
    }
    for (size_t i = 0; i < FLAT && w->shares; i++)
        mass[i] /= wanted[i] + empty / full;
    scale(mass, FLAT);
}

static void of_any_function(void **state)
{
    (void)state;
    static const flat_row rows[] = {
        {.first = 1.5, .width = 1.1},
        {.uniform = true, .first = 1.5, .width = 1.1},
        {.of = 2, .first = 0.5, .width = 1},
        {.of = 2, .uniform = true, .first = 0.5, .width = 1},
        {.of = 2, .window = true, .first = 1.5, .width = 0.7},
        {.of = 1, .first = 0.5, .width = 1},
        {.of = 2, .shares = true, .first = 0.5, .width = 1},
        {.of = 1, .shares = true, .first = 0.5, .width = 1},
    };
    static _Alignas(8) unsigned char memory[BYTES];
    cs_target *t = target_of("bernoulli4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double mass[FLAT];
        cs_flat f;
        cs_flat_entry e;
        cs_kernel k = samc(&rows[i]);
        cs_run *r = run_of(t, &k);
        cs_flat_begin(&f, memory, sizeof memory);
        assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
        const double *truth = row_of(&f, "bin_truth", FLAT);
        assert_non_null(truth);
        sum_of_states(t, &rows[i], mass);
        for (size_t b = 0; b < FLAT; b++)
            assert_near(truth[b], mass[b], 1e-12, 1e-15);
        bool named = cs_flat_find(f.base, f.used, &e, "bin_of");
        assert_int_equal(named, rows[i].of != 0);
        if (named)
            assert_string_equal(
                e.text, rows[i].of == 1 ? "x.2" : "sum of the coordinates");
        assert_true(cs_run_settle(r, 0));
        cs_run_destroy(r);
        cs_kernel_release(&k);
    }
    cs_target_release(t);
}

/* The masses of the bins are unknown in three dimensions. They are also unknown
 * if the bins are bins of a function other than the energy. */
static void elsewhere_it_is_unknown(void **state)
{
    enum { BINS = 5 };
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    static const char *const names[] = {"bernoulli4", "eight_schools"};
    for (size_t i = 0; i < 2; i++) {
        cs_target *t = target_of(names[i]);
        cs_kernel k = kernel_of(i ? "random_walk" : "gibbs");
        cs_run *r = run_of(t, &k);
        cs_flat f;
        cs_flat_begin(&f, memory, sizeof memory);
        put_borders(&f, 0, 1, BINS);
        if (i == 0)
            cs_flat_text(&f, "cut", "bin_of");
        cs_bins_add_truth(r, &r->arm[0], "", &f, true);
        assert_null(row_of(&f, "bin_truth", BINS));
        assert_true(cs_run_settle(r, 0));
        cs_run_destroy(r);
        cs_target_release(t);
    }
}

/* Masses of bins outside the grid are unknown. */
static void far_bins_are_unknown(void **state)
{
    enum { BINS = 12 };
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("mixture");
    cs_kernel k = csgld(1, 1e12, BINS, 1);
    cs_run *r = run_of(t, &k);
    cs_flat f;
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
    const double *truth = row_of(&f, "bin_truth", BINS);
    assert_non_null(truth);
    assert_true(truth[0] >= 0);
    assert_true(isnan(truth[BINS - 2]) && isnan(truth[BINS - 1]));
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The masses appear in the first report that is made after they have been
 * computed. */
static void what_is_settled_is_shown(void **state)
{
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("mixture");
    cs_kernel k = csgld(2, 1, 20, 1);
    cs_run *r = run_of(t, &k);
    cs_flat f;
    assert_false(cs_run_settle(r, 0));
    cs_flat_begin(&f, memory, sizeof memory);
    cs_run_glance(r, 0, 0, &f);
    assert_null(row_of(&f, "arm/0/kernel/bin_truth", 20));
    assert_true(cs_run_settle(r, 1));
    cs_flat_begin(&f, memory, sizeof memory);
    cs_run_glance(r, 0, 0, &f);
    assert_non_null(row_of(&f, "arm/0/kernel/bin_truth", 20));
    cs_run_destroy(r);
    cs_target_release(t);
}

/* Returns a column of the last draw of a chain. */
static double column(const cs_run *r, size_t chain, const char *name)
{
    const cs_arm *a = &r->arm[0];
    const cs_block *b = cs_arm_block(a, chain);
    const char *const *stats = a->kernel.type->stats;
    size_t i = 0;
    while (strcmp(stats[i], name) != 0)
        assert_non_null(stats[++i]);
    return b->move.info.stat[i * b->lanes + cs_arm_lane(a, chain)];
}

/* The probe `trace` reports the bins of the last steps, which are the bins of
 * the draws. If the multiplier of a bin is below 0, the bin is reported as a
 * negative number. */
static void the_trace_has_bins(void **state)
{
    enum { STEPS = 100, CHAINS = 3 };
    static double bin[CHAINS][STEPS];
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("mixture");
    cs_kernel k = csgld(1, 0.5, 20, 1);
    set(&k, "rate", 0.1);
    const cs_arm_spec arm = {.name = "a", .kernel = k};
    const cs_probe_spec probe = {.type = cs_probe_find("trace")};
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = CHAINS,
                              .probes = &probe,
                              .n_probes = 1};
    cs_run *r = NULL;
    size_t uphill = 0;
    cs_flat f;
    cs_flat_entry e;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    run_steps(r, 3000);
    for (size_t i = 0; i < STEPS; i++) {
        run_steps(r, 1);
        for (size_t c = 0; c < CHAINS; c++) {
            bool up = column(r, c, "multiplier__") < 0;
            bin[c][i] = column(r, c, "bin__") * (up ? -1 : 1);
            uphill += up;
        }
    }
    assert_true(uphill > 0 && uphill < CHAINS * STEPS);
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "trace", "", &f));
    assert_true(cs_flat_find(f.base, f.used, &e, "bins"));
    assert_int_equal(e.rows, CHAINS);
    assert_true(e.cols > STEPS);
    for (size_t c = 0; c < CHAINS; c++)
        for (size_t i = 0; i < STEPS; i++)
            assert_true(e.data[(c + 1) * e.cols - STEPS + i] == bin[c][i]);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The trace divides the steps into time bins of 16 steps, and keeps one value
 * from each time bin, drawn at random. Hence the values do not all come from
 * the same position in a time bin. */
static void the_trace_draws_values(void **state)
{
    enum { STEPS = 3001, WIDE = 16, DRAWN = (STEPS + WIDE - 1) / WIDE };
    static double x[STEPS];
    static _Alignas(8) unsigned char memory[BYTES];
    (void)state;
    cs_target *t = target_of("mixture");
    const cs_arm_spec arm = {.name = "a", .kernel = kernel_of("random_walk")};
    const cs_probe_spec probe = {.type = cs_probe_find("trace")};
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = 1,
                              .probes = &probe,
                              .n_probes = 1};
    cs_run *r = NULL;
    cs_flat f;
    cs_flat_entry e;
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    for (size_t i = 0; i < STEPS; i += 100) {
        size_t n = STEPS - i < 100 ? STEPS - i : 100;
        run_steps(r, n);
        cs_flat_begin(&f, memory, sizeof memory);
        assert_true(cs_run_report_one(r, 0, "trace", "", &f));
        assert_true(cs_flat_find(f.base, f.used, &e, "1/recent"));
        memcpy(x + i, e.data + e.cols - n, n * sizeof *x);
    }
    const double *time = row_of(&f, "drawn", DRAWN);
    assert_true(time[0] == WIDE && time[DRAWN - 1] == STEPS);
    const double *drawn = row_of(&f, "1/drawn", DRAWN);
    size_t at[WIDE] = {0};
    for (size_t b = 0; b + 1 < DRAWN; b++) {
        size_t k = 0;
        while (k < WIDE && x[b * WIDE + k] != drawn[b])
            k++;
        assert_true(k < WIDE);
        at[k]++;
    }
    for (size_t k = 0; k < WIDE; k++)
        assert_true(at[k] < DRAWN / 2);
    cs_run_destroy(r);
    cs_target_release(t);
}

/* The summary reports the bins in its text and in JSON. */
static void summaries_have_bins(void **state)
{
    (void)state;
    cs_target *t = target_of("mixture");
    cs_kernel k = csgld(2, 1, 20, 1);
    cs_run *r = run_of(t, &k);
    cs_page text = {0}, json = {0};
    run_steps(r, 50);
    cs_bins_text(r, 0, &text);
    cs_bins_json(r, 0, &json);
    assert_non_null(strstr(text.text, " of 20 were visited"));
    static const char *const keys[] = {"low",    "high",    "weight",
                                       "spread", "truth",   "multiplier",
                                       "visits", "learning"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char word[32];
        snprintf(word, sizeof word, "\"%s\": [", keys[i]);
        assert_non_null(strstr(json.text, word));
    }
    cs_free(text.text);
    cs_free(json.text);
    cs_run_destroy(r);
    cs_kernel other = kernel_of("sgld");
    r = run_of(t, &other);
    text = json = (cs_page){0};
    cs_bins_text(r, 0, &text);
    cs_bins_json(r, 0, &json);
    assert_null(text.text);
    assert_null(json.text);
    cs_run_destroy(r);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(on_a_line),
    cmocka_unit_test(in_the_plane),
    cmocka_unit_test(over_states),
    cmocka_unit_test(of_any_function),
    cmocka_unit_test(elsewhere_it_is_unknown),
    cmocka_unit_test(far_bins_are_unknown),
    cmocka_unit_test(what_is_settled_is_shown),
    cmocka_unit_test(the_trace_has_bins),
    cmocka_unit_test(the_trace_draws_values),
    cmocka_unit_test(summaries_have_bins),
};
TESTS(test_bins)
