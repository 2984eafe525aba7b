/* Compares the bands and p-values of ranks with sums over all possible
 * ranks. */
#include "support/support.h"

#include "stat/uniformity.h"

#include <math.h>
#include <string.h>

enum { N = 5, PLACES = 4, ALL = 1024 }; /* PLACES^N */

static void ranks_number(size_t i, double rank[N])
{
    for (size_t k = 0; k < N; k++, i /= PLACES)
        rank[k] = (double)(i % PLACES);
}

static bool is_within(const double rank[N], const double *low,
                      const double *high)
{
    for (size_t k = 1; k < PLACES; k++) {
        double below = 0;
        for (size_t i = 0; i < N; i++)
            below += rank[i] < (double)k;
        if (below < low[k - 1] || below > high[k - 1])
            return false;
    }
    return true;
}

static void coverage_is_the_share_of_all_ranks(void **state)
{
    static const double low[][PLACES - 1] = {{0, 0, 0}, {0, 1, 2}, {1, 2, 3},
                                             {0, 2, 3}, {2, 2, 2}, {4, 1, 1}};
    static const double high[][PLACES - 1] = {{5, 5, 5}, {3, 4, 5}, {1, 4, 4},
                                              {1, 5, 4}, {2, 3, 5}, {5, 2, 5}};
    (void)state;
    for (size_t b = 0; b < sizeof low / sizeof *low; b++) {
        double rank[N], within = 0;
        for (size_t i = 0; i < ALL; i++) {
            ranks_number(i, rank);
            within += is_within(rank, low[b], high[b]);
        }
        assert_near(cs_ecdf_coverage(N, PLACES, low[b], high[b]), within / ALL,
                    1e-12, 1e-14);
    }
}

/* The p-value of the given ranks is the total probability of all ranks that
 * have the same or a smaller p-value. */
static void p_is_the_share_of_ranks_that_stray_as_far(void **state)
{
    static cs_uniformity u[ALL];
    double rank[N];
    (void)state;
    for (size_t i = 0; i < ALL; i++) {
        ranks_number(i, rank);
        assert_true(cs_uniformity_of(rank, N, PLACES, &u[i]));
    }
    for (size_t i = 0; i < ALL; i++) {
        double no_larger = 0;
        for (size_t k = 0; k < ALL; k++)
            no_larger += u[k].p <= u[i].p * (1 + 1e-9);
        assert_near(u[i].p, no_larger / ALL, 1e-9, 1e-12);
    }
}

/* The band has at least the requested level. A slightly larger pointwise level
 * would make the level of the band smaller than the requested level. */
static void a_band_holds_the_level_it_is_asked_for(void **state)
{
    enum { MOST = 64 };
    static const size_t n[] = {20, 100, 400}, places[] = {4, 16, 64};
    double low[MOST], high[MOST];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        double gamma = cs_ecdf_level(n[i], places[i], 0.95);
        assert_true(gamma > 0.95 / 1e4 && gamma < 0.05);
        cs_ecdf_band(n[i], places[i], gamma, low, high);
        assert_true(cs_ecdf_coverage(n[i], places[i], low, high) >= 0.95);
        cs_ecdf_band(n[i], places[i], gamma * 1.01, low, high);
        assert_true(cs_ecdf_coverage(n[i], places[i], low, high) < 0.95);
    }
}

static void means_spreads_and_bins_are_those_by_hand(void **state)
{
    const double rank[] = {0, 0, 3, 7, 7, 7, 2, 1, 0, 7};
    const size_t n = sizeof rank / sizeof *rank;
    cs_uniformity u;
    (void)state;
    assert_true(cs_uniformity_of(rank, n, 8, &u));
    assert_int_equal(u.bins, 2);
    assert_near(u.chi2, (6.0 - 5) * (6 - 5) / 5 + (4.0 - 5) * (4 - 5) / 5,
                1e-12, 0);
    assert_near(u.mean, (34.0 / 10 + 0.5) / 8, 1e-12, 0);
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += pow((rank[i] + 0.5) / 8 - 0.5, 2);
    assert_near(u.spread, squares / 10 * 12 / (1 - 1.0 / 64), 1e-12, 0);
    assert_near(u.mean_error, sqrt((1 - 1.0 / 64) / 12 / 10), 1e-12, 0);
    assert_false(cs_uniformity_of(rank, n, 7, &u));
    assert_false(cs_uniformity_of(rank, 1, 8, &u));
    assert_false(cs_uniformity_of((const double[]){0.5, 1}, 2, 8, &u));
    assert_false(cs_uniformity_of((const double[]){NAN, 1}, 2, 8, &u));
}

/* Evenly spread ranks pass. Ranks that are concentrated or shifted are
 * rejected. */
static void ranks_that_are_not_uniform_are_seen(void **state)
{
    enum { MANY = 256, P = 64 };
    double rank[MANY];
    cs_uniformity u;
    (void)state;
    for (size_t i = 0; i < MANY; i++)
        rank[i] = (double)(i * 29 % P);
    assert_true(cs_uniformity_of(rank, MANY, P, &u) && u.p > 0.99);
    for (size_t i = 0; i < MANY; i++)
        rank[i] = floor(rank[i] * 0.8);
    assert_true(cs_uniformity_of(rank, MANY, P, &u) && u.p < 1e-6);
    assert_true(u.mean + 4 * u.mean_error < 0.5 && u.where > 0.7);
    for (size_t i = 0; i < MANY; i++)
        rank[i] = 16 + floor((double)(i * 29 % P) / 2);
    assert_true(cs_uniformity_of(rank, MANY, P, &u) && u.p < 1e-6);
    assert_true(u.spread + 4 * u.spread_error < 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(coverage_is_the_share_of_all_ranks),
    cmocka_unit_test(p_is_the_share_of_ranks_that_stray_as_far),
    cmocka_unit_test(a_band_holds_the_level_it_is_asked_for),
    cmocka_unit_test(means_spreads_and_bins_are_those_by_hand),
    cmocka_unit_test(ranks_that_are_not_uniform_are_seen),
};
TESTS(test_uniformity)
