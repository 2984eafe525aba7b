/* Tests the probe `tours` on given tours of four cities. */
#include "support/watch.h"

enum { N = 4, BITS = 2, DIM = N * BITS, COLUMNS = 10 };

/* Each leg of the tour 1-2-3-4-1 costs 1, and all other legs cost more. */
static const double costs[N * N] = {0, 1, 4, 7, 9, 0, 1, 5,
                                    6, 8, 0, 1, 1, 3, 9, 0};

static void spell(const char *tour, double *x)
{
    for (size_t i = 0; i < DIM; i++)
        x[i] = (tour[i / BITS] - '1') >> (BITS - 1 - i % BITS) & 1;
}

static double cost_of(const char *tour)
{
    double sum = 0;
    for (size_t k = 0; k < N; k++)
        sum += costs[(tour[k] - '1') * N + tour[(k + 1) % N] - '1'];
    return sum;
}

/* Returns the number of pairs of positions at which the cities of the two tours
 * differ. Before the comparison, the first city is appended to each tour. */
static double mismatch(const char *p, const char *q)
{
    double n = 0;
    for (size_t i = 0; i <= N; i++)
        for (size_t j = i + 1; j <= N; j++)
            n += p[i % N] != q[i % N] || p[j % N] != q[j % N];
    return n;
}

/* Opens the probe without the target's outputs, so that the probe computes
 * costs from log p. */
static void open_watch(watch *w, const cs_value *of_probe)
{
    const cs_value given[] = {{.name = "costs",
                               .kind = CS_PARAM_ARRAY,
                               .array = costs,
                               .rows = N,
                               .cols = N}};
    assert_int_equal(watch_open(w, "tours", "tsp", given, 1), CS_OK);
    cs_probe_fini(&w->probe);
    w->target->outputs.n = 0;
    assert_int_equal(cs_probe_init(&w->probe, cs_probe_find("tours"), of_probe,
                                   of_probe ? 1 : 0, w->target, NULL),
                     CS_OK);
}

/* Puts every chain at tour[step], and passes minus the cost of the tour as log
 * p. */
static void go(watch *w, const char *const *tour, size_t n)
{
    for (size_t s = 0; s < n; s++) {
        double x[WATCH_CHAINS * DIM], logp[WATCH_CHAINS];
        for (size_t c = 0; c < WATCH_CHAINS; c++) {
            spell(tour[s], x + c * DIM);
            logp[c] = -cost_of(tour[s]);
        }
        watch_step(w, x, logp);
    }
}

static void distinct_tours_count_once(void **state)
{
    (void)state;
    static const char *const tour[] = {"1234", "1324", "1324",
                                       "2341", "1234", "4321"};
    static const char *const kept[] = {"1234", "1324", "2341", "4321"};
    watch w;
    double cost = 0, square = 0, off = 0, off_square = 0, visits = 0;
    open_watch(&w, NULL);
    go(&w, tour, 6);
    for (int k = 0; k < 4; k++) {
        double d = mismatch(kept[k], "1234");
        cost += cost_of(kept[k]) / 4;
        square += cost_of(kept[k]) * cost_of(kept[k]) / 4;
        off += d / 4;
        off_square += d * d / 4;
    }
    for (int k = 0; k < 6; k++)
        visits += cost_of(tour[k]) / 6;
    watch_report(&w);
    cs_flat_entry e = watch_find(&w, "chains");
    const double *row = e.data + COLUMNS; /* the second chain */
    assert_int_equal(e.rows, WATCH_CHAINS);
    assert_int_equal(e.cols, COLUMNS);
    assert_near(row[0], 4, 0, 0);
    assert_near(row[1], cost, 1e-13, 0);
    assert_near(row[2], sqrt(square - cost * cost), 1e-12, 0);
    assert_near(row[3], 4, 0, 0);
    assert_near(row[4], off, 1e-13, 0);
    assert_near(row[5], sqrt(off_square - off * off), 1e-12, 0);
    assert_near(row[6], visits, 1e-13, 0);
    assert_near(row[8], 6, 0, 0);
    assert_near(row[9], 0, 0, 0);
    /* The best tour visits the cities in ascending order, starting at any
     * city. */
    cs_flat_entry best = watch_find(&w, "best");
    for (size_t k = 0; k < N; k++)
        assert_near(best.data[(k + 1) % N], fmod(best.data[k], N) + 1, 0, 0);
    watch_close(&w);
}

/* The mismatch of tours with eight cities can be 0, 15, 21, 26, 30, 33, 35 or
 * 36 (Mohanty, Bhattacharya and Zhang 2025, E.2). With four cities it can be 0,
 * 4, 7, 9 or 10. */
static void a_table_that_is_full_leaves_out(void **state)
{
    (void)state;
    static const char *const tour[] = {"1234", "1243", "1324", "1342", "1423",
                                       "1432", "2134", "2143", "1234"};
    watch w;
    const cs_value few = {.name = "room", .kind = CS_PARAM_INT, .number = 8};
    open_watch(&w, &few);
    go(&w, tour, 9);
    watch_report(&w);
    const double *row = watch_find(&w, "chains").data;
    assert_near(row[0], 6, 0, 0); /* three quarters of 8 */
    assert_near(row[8], 9, 0, 0);
    assert_near(row[9], 2, 0, 0); /* the last tour is in the table */
    watch_close(&w);
}

static void what_comes_before_does_not_count(void **state)
{
    (void)state;
    static const char *const tour[] = {"1234", "1243", "1324"};
    watch w;
    const cs_value after = {.name = "after", .kind = CS_PARAM_INT, .number = 2};
    open_watch(&w, &after);
    go(&w, tour, 3);
    watch_report(&w);
    const double *row = watch_find(&w, "chains").data;
    assert_near(row[0], 1, 0, 0);
    assert_near(row[3], cost_of("1324"), 0, 0);
    watch_close(&w);
}

static void what_is_no_tour_is_refused(void **state)
{
    (void)state;
    watch w;
    assert_int_equal(watch_open(&w, "tours", "bernoulli4", NULL, 0),
                     CS_UNSUPPORTED);
    cs_target_release(w.target);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(distinct_tours_count_once),
    cmocka_unit_test(a_table_that_is_full_leaves_out),
    cmocka_unit_test(what_comes_before_does_not_count),
    cmocka_unit_test(what_is_no_tour_is_refused),
};
TESTS(test_tours)
