/* Tests predictive checks against numbers computed by hand. */
#include "support/support.h"

#include "base/memory.h"
#include "stat/predictive.h"

#include <math.h>

/* Five replications of four counts. */
static const double data[] = {0, 3, 1, 0};
static const double rep[] = {0, 1, 1, 0, /* a replication per line */
                             1, 2, 0, 0, /* */
                             0, 4, 1, 1, /* */
                             2, 3, 1, 0, /* */
                             0, 5, 0, 0};
static const cs_replications counts = {data, rep, 4, 5};

/* The means of the replications are 0.5, 0.75, 1.5, 1.5 and 1.25; that of the
 * data is 1. */
static void p_counts_replications_above_the_data(void **state)
{
    double t[5];
    cs_predictive_test test;
    cs_predictive_statistic *mean = cs_predictive_statistic_find("mean");
    (void)state;
    for (size_t s = 0; s < 5; s++)
        t[s] = mean(rep + 4 * s, 4);
    assert_true(cs_predictive_compare(mean(data, 4), t, 5, 0, &test));
    assert_near(test.data, 1, 0, 1e-15);
    assert_near(test.p, 0.6, 0, 1e-15);
    assert_near(test.mean, 1.1, 0, 1e-15);
    assert_near(test.low, 0.55, 0, 1e-12);
    assert_near(test.high, 1.5, 0, 1e-12);
    assert_near(test.error, sqrt(0.3 / 5), 0, 1e-12);
    assert_true(cs_predictive_compare(1.25, t, 5, 0, &test));
    assert_near(test.p, 0.5, 0, 1e-15); /* an equal number is a half */
    assert_true(cs_predictive_compare(9, t, 5, 0, &test));
    assert_near(test.p, 0, 0, 0);
    assert_true(isnan(test.error));
}

/* Ten equal replications in a row count once. */
static void the_error_of_p_knows_chains(void **state)
{
    enum { CHAINS = 4, N = 1000 };
    static double t[CHAINS * N];
    cs_predictive_test far, near;
    (void)state;
    for (size_t i = 0; i < CHAINS * N; i++)
        t[i] = sin(1e4 * sin((double)(i / 10)));
    assert_true(cs_predictive_compare(0, t, CHAINS * N, CHAINS, &near));
    assert_true(cs_predictive_compare(0, t, CHAINS * N, 0, &far));
    assert_near(near.error / far.error, sqrt(10), 0.2, 0);
}

static void statistics_have_names(void **state)
{
    static const struct {
        const char *name;
        double of_data;
    } list[] = {{"mean", 1},     {"sd", 1.4142135623730951},
                {"min", 0},      {"max", 3},
                {"median", 0.5}, {"zeros", 0.5}};
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(cs_predictive_statistic_name(i), list[i].name);
        assert_near(cs_predictive_statistic_find(list[i].name)(data, 4),
                    list[i].of_data, 0, 1e-15);
    }
    assert_null(cs_predictive_statistic_name(6));
    assert_null(cs_predictive_statistic_find("mode"));
}

/* Replications of the second observation: 1 2 3 4 5. */
static void intervals_are_quantiles_of_each_observation(void **state)
{
    size_t rows;
    (void)state;
    cs_predictive_row *row =
        cs_predictive_compute(CS_PREDICTIVE_INTERVAL, &counts, 9, &rows);
    assert_non_null(row);
    assert_int_equal(rows, 4);
    assert_near(row[1].x, 2, 0, 0);
    assert_near(row[1].data, 3, 0, 0);
    assert_near(row[1].low, 1.2, 0, 1e-12);
    assert_near(row[1].lower, 2, 0, 0);
    assert_near(row[1].mid, 3, 0, 0);
    assert_near(row[1].upper, 4, 0, 0);
    assert_near(row[1].high, 4.8, 0, 1e-12);
    cs_free(row);
    row = cs_predictive_compute(CS_PREDICTIVE_INTERVAL, &counts, 2, &rows);
    assert_int_equal(rows, 2);
    assert_near(row[1].x, 3, 0, 0);
    cs_free(row);
    /* all four are inside: 0 in 0 to 1, 3 in 2 to 4, 1 in 0 to 1, 0 in 0 to 0 */
    cs_predictive_cover cover = cs_predictive_covered(&counts);
    assert_near(cover.half, 1, 0, 0);
    assert_near(cover.most, 1, 0, 0);
    const double wide[] = {0, 4.5, 1, 1};
    const cs_replications other = {wide, rep, 4, 5};
    cover = cs_predictive_covered(&other);
    assert_near(cover.half, 0.5, 0, 0);
    assert_near(cover.most, 0.75, 0, 0);
}

/* Counts of 0 in the replications: 2, 2, 1, 1, 3. */
static void rootograms_count_values(void **state)
{
    size_t rows;
    (void)state;
    assert_true(cs_predictive_fits(CS_PREDICTIVE_ROOTOGRAM, &counts));
    assert_false(cs_predictive_fits(CS_PREDICTIVE_CALIBRATION, &counts));
    cs_predictive_row *row =
        cs_predictive_compute(CS_PREDICTIVE_ROOTOGRAM, &counts, 9, &rows);
    assert_non_null(row);
    assert_int_equal(rows, 5); /* 0 to 4; 5 is beyond 99.9 % */
    assert_near(row[0].data, 2, 0, 0);
    assert_near(row[0].mid, 1.8, 0, 1e-15);
    assert_near(row[0].low, 1, 0, 0);
    assert_near(row[0].high, 2.8, 0, 1e-12);
    assert_near(row[3].x, 3, 0, 0);
    assert_near(row[3].data, 1, 0, 0);
    assert_near(row[3].mid, 0.2, 0, 1e-15);
    cs_free(row);
    const double part[] = {0, 2.5}, negative[] = {-1, 2};
    assert_false(cs_predictive_fits(CS_PREDICTIVE_ROOTOGRAM,
                                    &(cs_replications){part, part, 2, 1}));
    assert_false(cs_predictive_fits(CS_PREDICTIVE_ROOTOGRAM,
                                    &(cs_replications){negative, rep, 2, 1}));
}

/* Ten observations: those with even numbers have the probability 1/4, the others
 * 3/4. */
static void calibration_groups_by_probability(void **state)
{
    enum { N = 10, M = 4 };
    double y[N], all[M * N];
    size_t rows;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        y[i] = i == 0 || (i % 2 && i != 1);
        for (size_t s = 0; s < M; s++)
            all[s * N + i] = i % 2 ? s != 0 : s == 0;
    }
    const cs_replications r = {y, all, N, M};
    assert_true(cs_predictive_fits(CS_PREDICTIVE_CALIBRATION, &r));
    cs_predictive_row *row =
        cs_predictive_compute(CS_PREDICTIVE_CALIBRATION, &r, 9, &rows);
    assert_non_null(row);
    assert_int_equal(rows, 2);
    assert_near(row[0].x, 0.25, 0, 1e-15);
    assert_near(row[0].data, 0.2, 0, 1e-15);
    assert_near(row[1].x, 0.75, 0, 1e-15);
    assert_near(row[1].data, 0.8, 0, 1e-15);
    assert_near(row[1].mid, 0.75, 0, 1e-15);
    assert_near(row[1].low, 0.15, 0, 1e-12);
    cs_free(row);
}

/* A density integrates to 1; that of one number is the kernel. */
static void densities_are_gaussians_at_the_data(void **state)
{
    const double y[] = {2}, reps[] = {2, 2.5, 3};
    size_t rows;
    double sum = 0, most = 0, at = 0;
    (void)state;
    const cs_replications r = {y, reps, 1, 3};
    cs_predictive_row *row =
        cs_predictive_compute(CS_PREDICTIVE_DENSITY, &r, 9, &rows);
    assert_non_null(row);
    for (size_t k = 0; k < rows; k++) {
        sum += row[k].data * (row[1].x - row[0].x);
        at = row[k].data > most ? row[k].x : at;
        most = fmax(most, row[k].data);
    }
    assert_near(sum, 1, 0.03, 0);
    assert_near(most, 0.39894, 0.01, 0);
    assert_near(at, 2, 0.05, 0);
    cs_free(row);
    /* replications far from the data: the area is 1 nevertheless */
    const double close[] = {1, 1.5, 2, 2.5}, wide[] = {-1e6, -4e5, 5e5, 1e6};
    const cs_replications spread = {close, wide, 4, 1};
    row = cs_predictive_compute(CS_PREDICTIVE_DENSITY, &spread, 9, &rows);
    assert_non_null(row);
    sum = 0;
    for (size_t k = 0; k < rows; k++)
        sum += row[k].data * (row[1].x - row[0].x);
    assert_near(sum, 1, 0.3, 0);
    cs_free(row);
    const double far[] = {-1e308, 1e308};
    assert_null(cs_predictive_compute(
        CS_PREDICTIVE_DENSITY, &(cs_replications){far, far, 2, 1}, 9, &rows));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(p_counts_replications_above_the_data),
    cmocka_unit_test(the_error_of_p_knows_chains),
    cmocka_unit_test(statistics_have_names),
    cmocka_unit_test(intervals_are_quantiles_of_each_observation),
    cmocka_unit_test(rootograms_count_values),
    cmocka_unit_test(calibration_groups_by_probability),
    cmocka_unit_test(densities_are_gaussians_at_the_data),
};
TESTS(test_predictive)
