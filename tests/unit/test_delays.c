/* Tests work that the session does between two snapshots. To avoid a delay of
 * the screen, such work is divided into parts or done only once. */
#include "support/by_name.h"
#include "support/support.h"

#include "base/memory.h"
#include "probe/probe.h"
#include "run/draws/chosen.h"
#include "run/draws/reference_draws.h"
#include "run/run.h"
#include "stat/testimony.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { LANES = 8, DRAWS = 8192, ROOM = 1 << 18 };

static size_t
    calls; /* calls: number of calls of the slow density; each call evaluates
            * eight points */
static const cs_target_type *gaussian;
static double pause_seconds;

static void slow_density(const cs_target *t, const cs_point *at, double *logp)
{
    struct timespec rest = {.tv_nsec = (long)(1e9 * pause_seconds)};
    calls++;
    if (pause_seconds > 0)
        nanosleep(&rest, NULL);
    gaussian->log_density(t, at, logp);
}

/* A Gaussian in three dimensions with a slow density. The distribution of the
 * Gaussian's energy can be computed only from exact draws. */
static cs_target *make_slow(cs_target_type *type)
{
    const cs_value dim = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 3};
    cs_target *t;
    gaussian = cs_target_find("gaussian");
    *type = *gaussian;
    type->log_density = slow_density;
    type->exact.energy = NULL;
    assert_int_equal(cs_target_create(gaussian, &dim, 1, &t, NULL), CS_OK);
    t->type = type;
    return t;
}

/* Makes the report of an energy probe for a chain without steps. */
static void report(const cs_probe *p, void *bytes, cs_flat *f)
{
    double *memory = cs_alloc(p->words * LANES, sizeof *memory);
    if (p->type->init)
        p->type->init(p, memory, LANES);
    const cs_lane_memory chain = {.word = memory, .stride = LANES};
    cs_flat_begin(f, bytes, ROOM);
    p->type->report(p, &chain, 1, "energy/", f);
    cs_free(memory);
}

static void exact_energies_come_in_parts(void **state)
{
    static _Alignas(8) unsigned char one[ROOM], two[ROOM];
    cs_target_type type;
    cs_probe whole, parts;
    cs_flat f, g;
    size_t n = 1;
    (void)state;
    cs_target *t = make_slow(&type);
    const cs_probe_type *energy = cs_probe_find("energy");
    assert_int_equal(cs_probe_init(&whole, energy, NULL, 0, t, NULL), CS_OK);
    assert_int_equal(cs_probe_init(&parts, energy, NULL, 0, t, NULL), CS_OK);
    pause_seconds = 0;
    calls = 0;
    cs_probe_settle(&whole);
    assert_int_equal(calls, DRAWS / LANES);
    pause_seconds = 1e-3;
    calls = 0;
    assert_false(cs_probe_settle_part(&parts));
    assert_true(calls > 0 && calls < DRAWS / LANES / 8);
    for (pause_seconds = 1e-4; !cs_probe_settle_part(&parts); n++)
        assert_false(parts.settled);
    assert_true(parts.settled && n > 1);
    assert_int_equal(calls, DRAWS / LANES); /* each draw once */
    report(&whole, one, &f);
    report(&parts, two, &g);
    assert_int_equal(f.used, g.used);
    assert_memory_equal(one, two, f.used);
    cs_probe_fini(&whole);
    cs_probe_fini(&parts);
    t->type = gaussian;
    cs_target_release(t);
}

/* Reference draws are evaluated once, and not again for each comparison in a
 * run. If a density sums over many rows, only a few of the reference draws are
 * evaluated. */
static void reference_draws_are_made_once(void **state)
{
    cs_target_type type;
    cs_arm_spec arm = {.name = "a"};
    cs_run_spec spec = {
        .arms = &arm, .n_arms = 1, .chains = 2, .seed = 3, .workers = 1};
    cs_run *r = NULL;
    cs_reference_draws d = {.n = 0};
    (void)state;
    spec.target = make_slow(&type);
    pause_seconds = 0;
    assert_int_equal(cs_kernel_init(&arm.kernel, cs_kernel_find("random_walk"),
                                    NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    calls = 0;
    cs_reference_draws_find(&d, r);
    assert_int_equal(calls, 2000 / LANES);
    assert_int_equal(d.n_logp, d.n);
    run_steps(r, 10);
    calls = 0;
    cs_reference_draws_find(&d, r);
    assert_int_equal(calls, 0);
    spec.target->generation++; /* a change of the target's parameters */
    spec.target->data_terms = 1 << 18;
    cs_reference_draws_find(&d, r);
    assert_int_equal(d.n, 2000);
    assert_int_equal(d.n_logp, 128);
    assert_int_equal(calls, 128 / LANES);
    cs_reference_draws_free(&d);
    cs_run_destroy(r);
    spec.target->type = gaussian;
    cs_target_release(spec.target);
}

/* Scalars that are copied together equal scalars that are copied one by one,
 * even with a column of weights and with chains of different lengths. */
static void scalars_are_copied_together(void **state)
{
    enum { CHAINS = 2, ROWS = 9, WIDTH = 6, LEAD = 2, SCALARS = 5 };
    double row[CHAINS][ROWS * WIDTH], x[SCALARS * CHAINS * ROWS], y[CHAINS * 7];
    cs_diagnosed_chain chain[CHAINS] = {{row[0], 1, 7, false, 0},
                                        {row[1], 2, 9, false, 1}};
    cs_diagnosed_view view = {.chain = chain,
                              .n = CHAINS,
                              .rows = ROWS,
                              .width = WIDTH,
                              .lead = LEAD,
                              .quantities = WIDTH - LEAD};
    (void)state;
    for (size_t i = 0; i < CHAINS * ROWS * WIDTH; i++)
        row[i / (ROWS * WIDTH)][i % (ROWS * WIDTH)] = (double)i;
    row[0][2 * WIDTH] = row[0][5 * WIDTH] = CS_NO_DRAW;
    cs_chosen g = cs_choose(NULL, &view);
    assert_int_equal(g.draws, 7);
    assert_int_equal(cs_chosen_scalars(&view), SCALARS);
    for (size_t first = 0; first < 2; first++) {
        size_t n = SCALARS - first;
        cs_chosen_copy_some(&g, first, n, x);
        for (size_t k = 0; k < n; k++) {
            cs_chosen_copy(&g, first + k, y);
            assert_memory_equal(x + k * CHAINS * 7, y, sizeof y);
        }
    }
}

/* Columns in a file equal columns in memory; rows in ordinary memory are not
 * stored, nor a chain of which some rows are not draws. */
static void columns_are_stored(void **state)
{
    enum { CHAINS = 2, ROWS = 9001, WIDTH = 9, LEAD = 2, SCALARS = 8 };
    cs_spill rows, columns;
    size_t size = CHAINS * ROWS;
    (void)state;
    assert_true(
        cs_spill_begin(&rows, size * WIDTH * sizeof(double), 1, 0) &&
        cs_spill_begin(&columns, size * SCALARS * sizeof(double), 1, 0));
    double *row = rows.at, *x = cs_alloc(2 * size * SCALARS, sizeof *x);
    cs_diagnosed_chain chain[CHAINS] = {
        {row, 1, ROWS, false, 0}, {row + ROWS * WIDTH, 2, ROWS, false, 1}};
    cs_diagnosed_view view = {.chain = chain,
                              .memory = &rows,
                              .n = CHAINS,
                              .rows = ROWS,
                              .width = WIDTH,
                              .lead = LEAD,
                              .quantities = WIDTH - LEAD};
    for (size_t i = 0; i < size * WIDTH; i++)
        row[i] = (double)i;
    cs_chosen g = cs_choose(NULL, &view);
    for (size_t first = 0; first < 2; first++) {
        size_t n = SCALARS - first, bytes = n * size * sizeof *x;
        double *y = x + n * size;
        cs_chosen_copy_some(&g, first, n, x);
        assert_true(cs_chosen_store_some(&g, first, n, &columns));
        assert_true(cs_spill_read(&columns, 0, y, bytes));
        assert_memory_equal(x, y, bytes);
    }
    chain[1].draws--;
    assert_false(cs_chosen_store_some(&g, 0, 1, &columns));
    chain[1].draws++;
    view.memory = NULL;
    assert_false(cs_chosen_store_some(&g, 0, 1, &columns));
    assert_false(cs_spill_read(&columns, columns.bytes, x, 1));
    cs_free(x);
    cs_spill_end(&rows);
    cs_spill_end(&columns);
}

/* cs_testify computes all errors in one pass. They equal the errors by their
 * definition, in which all batches have the same length and the remaining draws
 * belong to no batch. */
static void batches_in_one_pass(void **state)
{
    enum { CHAINS = 2, N = 1003, EACH = 16, BATCH = N / EACH };
    double x[CHAINS * N], w[CHAINS * N], sum = 0, weight = 0, square = 0;
    double squares = 0, within = 0;
    const double q[] = {-0.5, 0, 0.5};
    cs_testimony out[CS_WITNESSED] = {{0}};
    (void)state;
    for (size_t i = 0; i < CHAINS * N; i++) {
        x[i] = sin((double)i * (double)i) + (i < N ? 0.3 : -0.3);
        w[i] = 1 + (double)(i % 3);
        sum += w[i] * x[i];
        weight += w[i];
    }
    double mean = sum / weight;
    for (size_t i = 0; i < CHAINS * N; i++)
        square += w[i] * (x[i] - mean) * (x[i] - mean) / weight;
    for (size_t b = 0; b < CHAINS * EACH; b++) {
        double s = 0;
        for (size_t j = 0; j < BATCH; j++) {
            size_t i = b / EACH * N + b % EACH * BATCH + j;
            s += w[i] * ((x[i] - mean) * (x[i] - mean) - square);
            within += w[i];
        }
        squares += s * s;
    }
    double error = sqrt(squares * CHAINS * EACH / (CHAINS * EACH - 1)) / within;
    const cs_testimony_draws d = {x, w, CHAINS, N, 1e9, 1e9};
    cs_testify(&d, q, out);
    assert_near(out[CS_WITNESSED_SD].at, log(square) / 2, 1e-12, 1e-12);
    assert_near(out[CS_WITNESSED_SD].error, error / (2 * square), 1e-9, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(exact_energies_come_in_parts),
    cmocka_unit_test(reference_draws_are_made_once),
    cmocka_unit_test(scalars_are_copied_together),
    cmocka_unit_test(columns_are_stored),
    cmocka_unit_test(batches_in_one_pass),
};
TESTS(test_delays)
