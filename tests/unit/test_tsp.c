/* Tests the travelling salesman target. With eight cities, values of the target
 * are compared with sums over all 40,320 orderings. Slopes are compared with
 * their definitions. */
#include "support/support.h"

#include "base/memory.h"
#include "target/enumeration.h"
#include "target/eval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 8, BITS = 3, DIM = N * BITS, TOURS = 40320 };

static cs_target *make(const cs_value *given, size_t n)
{
    cs_target *t;
    cs_error err = {0};
    if (cs_target_create(cs_target_find("tsp"), given, n, &t, &err) != CS_OK)
        fail_msg("tsp: %s", err.what);
    return t;
}

static double logp_of(const cs_target *t, const double *x)
{
    double logp;
    assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
    return logp;
}

/* The cities A to H are the corners of a cube, as in the authors' program. */
static const char *const corner[N] = {"100", "010", "001", "110",
                                      "011", "101", "111", "000"};

static void spell(const char *tour, double *x)
{
    for (size_t i = 0; i < DIM; i++)
        x[i] = corner[tour[i / BITS] - 'A'][i % BITS] - '0';
}

/* Changes the tour to the next ordering of its letters, in alphabetical
 * order. */
static bool next(char *tour)
{
    int i = N - 2, j = N - 1;
    while (i >= 0 && tour[i] > tour[i + 1])
        i--;
    if (i < 0)
        return false;
    while (tour[j] < tour[i])
        j--;
    char kept = tour[i];
    tour[i] = tour[j];
    tour[j] = kept;
    for (i++, j = N - 1; i < j; i++, j--) {
        kept = tour[i];
        tour[i] = tour[j];
        tour[j] = kept;
    }
    return true;
}

typedef struct sums {
    double least, most, mean, square, z, logp_mean, logp_square, at_least;
} sums;

static sums go_through(const cs_target *t)
{
    char tour[] = "ABCDEFGH";
    double x[DIM];
    sums s = {.least = HUGE_VAL};
    do {
        spell(tour, x);
        double cost = -logp_of(t, x), p = exp(-cost);
        s.at_least = cost < s.least - 1e-9   ? p
                     : cost < s.least + 1e-9 ? s.at_least + p
                                             : s.at_least;
        s.least = fmin(s.least, cost);
        s.most = fmax(s.most, cost);
        s.mean += cost / TOURS;
        s.square += cost * cost / TOURS;
        s.z += p;
        s.logp_mean += p * cost;
        s.logp_square += p * cost * cost;
    } while (next(tour));
    return s;
}

/* The expected values come from an enumeration of all orderings, in another
 * language, with the weights of the authors' program. The smallest cost is 9.8
 * + 2.4 sqrt 2. The authors' program, whose distances are in single precision,
 * gives 13.194112491607665. */
static void the_eight_cities(void **state)
{
    (void)state;
    cs_target *t = make(NULL, 0);
    double x[DIM];
    sums s = go_through(t);
    double mean = s.logp_mean / s.z;
    assert_near(s.least, 9.8 + 2.4 * sqrt(2), 1e-14, 0);
    assert_near(s.most, 27.418570, 0, 5e-7);
    assert_near(s.mean, 19.910173, 0, 5e-7);
    assert_near(sqrt(s.square - s.mean * s.mean), 2.025340, 0, 5e-7);
    assert_near(mean, 16.469271, 0, 5e-7);
    assert_near(sqrt(s.logp_square / s.z - mean * mean), 1.587654, 0, 5e-7);
    assert_near(s.at_least / s.z, 0.025539, 0, 5e-7);
    assert_near(t->exact.log_z, log(s.z), 1e-13, 0);
    assert_near(t->type->exact.energy(t, s.least), s.at_least / s.z, 1e-12, 0);
    assert_near(t->type->exact.energy(t, s.least - 1e-6), 0, 0, 0);
    assert_near(t->type->exact.energy(t, s.most), 1, 1e-12, 0);
    for (size_t turn = 0; turn < N; turn++) {
        char tour[] = "DGFECHBADGFECHBA";
        spell(tour + turn, x);
        assert_near(-logp_of(t, x), s.least, 1e-14, 0);
    }
    cs_target_release(t);
}

/* With tours = "identity" chains start at the identity. Otherwise they start at
 * a random permutation, which the uniform random numbers determine. */
static void chains_start_at_tours(void **state)
{
    (void)state;
    cs_value in_order = {
        .name = "tours", .kind = CS_PARAM_TEXT, .text = "identity"};
    double x[DIM],
        logp[DIM] = {0.999, 0.999, 0.999, 0.999, 0.999, 0.999, 0.999, 0.999};
    cs_target *t = make(&in_order, 1);
    cs_target_start(t, logp, x);
    assert_near(-logp_of(t, x), 24.395015, 0, 1e-6);
    cs_target_release(t);
    t = make(NULL, 0);
    cs_target_start(t, logp, x); /* each city is swapped with itself */
    assert_near(-logp_of(t, x), 24.395015, 0, 1e-6);
    double other[DIM] = {0};
    cs_target_start(t, other, x); /* each city is swapped with the first */
    assert_near(-logp_of(t, x), 24.395015, 0, 1e-6);
    other[6] = 0.99; /* the seventh city is not moved */
    cs_target_start(t, other, x);
    assert_true(isfinite(logp_of(t, x)));
    assert_true(fabs(logp_of(t, x) + 24.395015) > 0.01);
    cs_target_release(t);
}

static void no_tour_is_infeasible(void **state)
{
    (void)state;
    cs_target *t = make(NULL, 0);
    double x[DIM], half[DIM];
    for (size_t i = 0; i < DIM; i++)
        half[i] = 0.5;
    spell("ABCDEFGA", x);
    assert_true(logp_of(t, x) == -HUGE_VAL);
    cs_target_release(t);
    cs_value five = {.name = "cities", .kind = CS_PARAM_INT, .number = 5};
    t = make(&five, 1);
    cs_target_start(t, half, x);
    assert_true(isfinite(logp_of(t, x)));
    x[12] = x[13] = 1; /* codes 6 and 7 denote no city */
    assert_true(logp_of(t, x) == -HUGE_VAL);
    cs_target_release(t);
}

static void what_is_shown(void **state)
{
    (void)state;
    cs_target *t = make(NULL, 0);
    double x[DIM], y[1 + N];
    char name[16];
    spell("DGFECHBA", x);
    assert_int_equal(cs_target_shown(t), 1 + N);
    assert_true(cs_target_show(t, x, y));
    assert_near(y[0], 9.8 + 2.4 * sqrt(2), 1e-14, 0);
    for (size_t k = 0; k < N; k++)
        assert_near(y[1 + k], "DGFECHBA"[k] - 'A' + 1, 0, 0);
    uint32_t at[N];
    cs_picture p = cs_target_picture(t);
    assert_int_equal(p.kind, CS_PICTURE_TOUR);
    assert_int_equal(p.places, N);
    p.order(t, x, 1, at);
    for (size_t k = 0; k < N; k++)
        assert_int_equal(at[k], "DGFECHBA"[k] - 'A');
    cs_target_coordinate(t, 0, name, sizeof name);
    assert_string_equal(name, "cost");
    cs_target_coordinate(t, N, name, sizeof name);
    assert_string_equal(name, "city.8");
    cs_target_release(t);
}

/* ---- slopes -------------------------------------------------------------- */

/* Computes the gradient g[dim] of one state. */
static void slopes_of(const cs_target *t, const double *x, double *g)
{
    size_t dim = t->space.dim;
    double *all = cs_alloc((2 * dim + 1 + t->scratch_words + 8) * 8, 8);
    double *at = all, *to = at + dim * 8, *logp = to + dim * 8;
    cs_eval e;
    for (size_t i = 0; i < dim * 8; i++)
        at[i] = x[i / 8];
    cs_eval_open(&e, t, 8, 1, NULL, logp + 8);
    cs_eval_gradient(&e, CS_NOW, at, logp, to);
    for (size_t i = 0; i < dim; i++)
        g[i] = to[i * 8];
    cs_free(all);
}

/* The slope of a bit gives the change of the cost if two cities whose codes
 * differ in this bit are exchanged. It is exact unless the two cities are
 * adjacent in the tour. (In a tour of four cities, only cities at opposite
 * positions are not adjacent.) */
static void slopes_say_what_an_exchange_costs(void **state)
{
    (void)state;
    cs_value six = {.name = "cities", .kind = CS_PARAM_INT, .number = 6};
    cs_target *t = make(&six, 1);
    double x[18], g[18], one[18];
    size_t n = 0;
    for (size_t i = 0; i < 18; i++)
        one[i] = 0.999;
    cs_target_start(t, one, x); /* no swaps: the cities in order */
    slopes_of(t, x, g);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = i + 2; j < 6 - (i == 0); j++)
            for (size_t b = 0; b < 3; b++) {
                size_t bit = 4u >> b;
                if ((i ^ j) != bit)
                    continue;
                double y[18], p = 1 - 2 * x[3 * i + b],
                              q = 1 - 2 * x[3 * j + b];
                memcpy(y, x, sizeof y);
                y[3 * i + b] += p;
                y[3 * j + b] += q;
                assert_near(p * g[3 * i + b] + q * g[3 * j + b],
                            logp_of(t, y) - logp_of(t, x), 1e-12, 1e-12);
                n++;
            }
    assert_true(n >= 3);
    cs_target_release(t);
}

/* In the paper, the slopes are the derivatives of -sum_k weight_k distance_k.
 * Here k runs over the legs of a tour, and each weight is a cost divided by a
 * distance. The slopes are compared with differences. */
static void slopes_along_coordinates(void **state)
{
    (void)state;
    cs_value by = {
        .name = "gradient", .kind = CS_PARAM_TEXT, .text = "coordinates"};
    cs_target *t = make(&by, 1);
    double x[DIM], g[DIM], pair[DIM], w[N];
    const char *tour = "ACEGBDFH";
    spell(tour, x);
    slopes_of(t, x, g);
    for (size_t k = 0; k < N; k++) { /* weight of a leg */
        double square = 0;
        for (size_t b = 0; b < BITS; b++)
            square += fabs(x[k * BITS + b] - x[(k + 1) % N * BITS + b]);
        w[k] = sqrt(square);
    }
    /* A-C 1.5, C-E 1.4, E-G 2.8, G-B 1.7, B-D 2.0, D-F 2.3, F-H 2.3, H-A 1.8 */
    static const double weight[N] = {1.5, 1.4, 2.8, 1.7, 2.0, 2.3, 2.3, 1.8};
    double logp = 0;
    for (size_t k = 0; k < N; k++)
        logp -= weight[k] * w[k];
    assert_near(logp, logp_of(t, x), 1e-14, 0);
    for (size_t i = 0; i < DIM; i++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            memcpy(pair, x, sizeof pair);
            pair[i] += side ? 1e-5 : -1e-5;
            value[side] = 0;
            for (size_t k = 0; k < N; k++) {
                double square = 0;
                for (size_t b = 0; b < BITS; b++) {
                    double off =
                        pair[k * BITS + b] - pair[(k + 1) % N * BITS + b];
                    square += off * off;
                }
                value[side] -= weight[k] * sqrt(square);
            }
        }
        assert_near(g[i], (value[1] - value[0]) / 2e-5, 0, 1e-8);
    }
    cs_target_release(t);
}

static void refused(const cs_value *given, size_t n, const char *said)
{
    cs_target *t = NULL;
    cs_error err = {0};
    assert_int_not_equal(
        cs_target_create(cs_target_find("tsp"), given, n, &t, &err), CS_OK);
    if (!strstr(err.what, said) || !err.hint[0])
        fail_msg("%s (%s)", err.what, err.hint);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const double costs[12] = {0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, NAN};
    cs_value two = {.name = "cities", .kind = CS_PARAM_INT, .number = 2};
    cs_value by[] = {
        {.name = "cities", .kind = CS_PARAM_INT, .number = 8},
        {.name = "gradient", .kind = CS_PARAM_TEXT, .text = "coordinates"}};
    cs_value odd = {.name = "costs",
                    .kind = CS_PARAM_ARRAY,
                    .array = costs,
                    .rows = 3,
                    .cols = 4};
    cs_value none = {
        .name = "file", .kind = CS_PARAM_TEXT, .text = "no/such.tsp"};
    refused(&two, 1, "2 cities");
    refused(by, 2, "not coordinates");
    refused(&odd, 1, "rows of");
    refused(&none, 1, "cannot open");
    odd.cols = 3;
    cs_target *t = make(&odd, 1);
    static const double x[6] = {0, 0, 0, 1, 1, 0}; /* tour 1, 2, 3 */
    assert_near(logp_of(t, x), -10, 0, 0);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_eight_cities),
    cmocka_unit_test(chains_start_at_tours),
    cmocka_unit_test(no_tour_is_infeasible),
    cmocka_unit_test(what_is_shown),
    cmocka_unit_test(slopes_say_what_an_exchange_costs),
    cmocka_unit_test(slopes_along_coordinates),
    cmocka_unit_test(what_cannot_be_is_refused),
};
TESTS(test_tsp)
