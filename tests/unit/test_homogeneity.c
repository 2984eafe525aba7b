/* Tests the p-value for the hypothesis that all chains have one distribution.
 * Uses a small table computed by hand. The p-values must be uniform for chains
 * with equal distributions and any correlation, and must have power against
 * unequal distributions. Also shows that a naive chi-square test fails. */
#include "stat/homogeneity.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { CHAINS = 4, DRAWS = 2048, VALUES = 4, RUNS = 1000 };

static uint64_t seed = 1;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(seed >> 11) + 0.5) * 0x1p-53;
}

static double value_of(const double *p, size_t values)
{
    double u = uniform();
    size_t v = 0;
    while (v + 1 < values && u >= p[v])
        u -= p[v++];
    return (double)v;
}

/* Draws a discrete autoregression, which keeps its current value with
 * probability rho. */
static void draw(double *x, size_t n, double rho, const double *p,
                 size_t values)
{
    double now = value_of(p, values);
    for (size_t k = 0; k < n; k++) {
        if (uniform() >= rho)
            now = value_of(p, values);
        x[k] = now;
    }
}

/* Two chains with two values, in batches of 4 draws. The F statistic has 1 and
 * 30 degrees of freedom. */
static void by_hand(void **state)
{
    enum { N = 4 * CS_HOMOGENEITY_BATCHES };
    double x[2 * N], mean[2] = {0}, within = 0;
    (void)state;
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < N; k++) {
            x[c * N + k] = 3 + ((k * 7 + c * k * k) % 11 < 5 + c);
            mean[c] += (x[c * N + k] - 3) / N;
        }
    for (size_t c = 0; c < 2; c++)
        for (size_t b = 0; b < N; b += 4) {
            double share = 0;
            for (size_t k = 0; k < 4; k++)
                share += (x[c * N + b + k] - 3) / 4;
            within += (share - mean[c]) * (share - mean[c]);
        }
    double between = (mean[0] - mean[1]) * (mean[0] - mean[1]) / 2;
    double f = CS_HOMOGENEITY_BATCHES * between / (within / 30);
    cs_homogeneity h = cs_homogeneity_of((cs_draws){x, N, 2}, 3, 2);
    assert_near(h.chi2, f, 1e-12, 1e-12);
    assert_near(h.p, gsl_cdf_fdist_Q(f, 1, 30), 1e-12, 1e-12);
    assert_true(h.freedom == 1 && h.values == 2);
}

/* The first draws, which do not fill a batch, are dropped. A value that occurs
 * only in the dropped draws is not counted. */
static void the_first_draws_are_left_out(void **state)
{
    enum { MORE = 9, N = 4 * CS_HOMOGENEITY_BATCHES + MORE };
    double x[2 * N];
    (void)state;
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < N; k++)
            x[c * N + k] =
                k < MORE ? 2 : (double)((k * 7 + c * k * k) % 11 < 5);
    assert_true(cs_homogeneity_of((cs_draws){x, N, 2}, 0, 3).values == 2);
    x[MORE] = 2;
    assert_true(cs_homogeneity_of((cs_draws){x, N, 2}, 0, 3).values == 3);
}

/* The chains alternate quickly between the two values of a pair, and slowly
 * between two pairs. Four values have three degrees of freedom, but one of
 * these three dimensions dominates, so a test with three degrees of freedom
 * would be wrong. */
static void slow_pairs_have_one_dimension(void **state)
{
    enum { SETS = 300 };
    static double x[CHAINS * DRAWS];
    static const double half[] = {0.5, 0.5};
    double rare = 0, freedom = 0;
    (void)state;
    for (size_t s = 0; s < SETS; s++) {
        for (size_t c = 0; c < CHAINS; c++) {
            draw(x + c * DRAWS, DRAWS, 0.95, half, 2);
            for (size_t k = 0; k < DRAWS; k++)
                x[c * DRAWS + k] = 2 * x[c * DRAWS + k] + (uniform() < 0.5);
        }
        cs_homogeneity h =
            cs_homogeneity_of((cs_draws){x, DRAWS, CHAINS}, 0, 4);
        freedom += h.freedom / (CHAINS - 1) / SETS;
        rare += h.p < 0.05;
    }
    assert_true(freedom >= 1 && freedom < 1.4);
    assert_in_range((int)rare, 5, 28);
}

/* Tests bits that alternate, and values that rotate. All batches of all chains
 * then have the same counts, so rounding must not create a difference. */
static void chains_in_step_are_alike(void **state)
{
    enum { N = 60 * CS_HOMOGENEITY_BATCHES };
    static double x[3 * N];
    (void)state;
    for (size_t values = 2; values < 6; values++) {
        for (size_t c = 0; c < 3; c++)
            for (size_t k = 0; k < N; k++)
                x[c * N + k] = (double)((k + c) % values);
        cs_homogeneity h = cs_homogeneity_of((cs_draws){x, N, 3}, 0, values);
        assert_true(h.p == 1 && h.chi2 == 0);
    }
}

/* Shares of p-values below 0.01 and 0.1, and the Kolmogorov-Smirnov distance
 * from uniform. */
typedef struct spread {
    double rare, some, ks;
} spread;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the shares and the distance for many tests. `off` shifts the
 * distribution of the last chain. */
static spread spread_of(double rho, const double *p, size_t values, double off)
{
    static double x[CHAINS * DRAWS], all[RUNS];
    double other[VALUES];
    spread s = {0};
    for (size_t v = 0; v < values; v++)
        other[v] = p[v] + (v == 0 ? off : v == 1 ? -off : 0);
    for (size_t r = 0; r < RUNS; r++) {
        for (size_t c = 0; c < CHAINS; c++)
            draw(x + c * DRAWS, DRAWS, rho, c + 1 < CHAINS ? p : other, values);
        all[r] = cs_homogeneity_of((cs_draws){x, DRAWS, CHAINS}, 0, values).p;
        s.rare += all[r] < 0.01 ? 1.0 / RUNS : 0;
        s.some += all[r] < 0.1 ? 1.0 / RUNS : 0;
    }
    qsort(all, RUNS, sizeof *all, by_size);
    for (size_t r = 0; r < RUNS; r++)
        s.ks = fmax(s.ks, fabs(all[r] - ((double)r + 0.5) / RUNS));
    return s;
}

static const double even[] = {0.5, 0.5}, skew[] = {0.9, 0.1},
                    three[] = {0.6, 0.3, 0.1}, four[] = {0.4, 0.3, 0.2, 0.1};

/* Checks the shares within five standard errors. The Kolmogorov-Smirnov
 * distance of 1000 uniform p-values exceeds 0.062 once in a thousand cases. */
static void p_values_of_alike_chains_are_uniform(void **state)
{
    const struct {
        const double *p;
        size_t values;
    } laws[] = {{even, 2}, {skew, 2}, {three, 3}, {four, 4}};
    static const double rho[] = {0, 0.5, 0.75};
    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (size_t r = 0; r < 3; r++) {
            spread s = spread_of(rho[r], laws[k].p, laws[k].values, 0);
            print_message("%zu values, rho %.1f: %.4f below 0.01, %.3f below "
                          "0.1, KS %.3f\n",
                          laws[k].values, rho[r], s.rare, s.some, s.ks);
            assert_near(s.rare, 0.01, 0, 5 * sqrt(0.01 * 0.99 / RUNS));
            assert_near(s.some, 0.1, 0, 5 * sqrt(0.1 * 0.9 / RUNS));
            assert_true(s.ks < 0.062);
        }
}

static void chains_of_another_law_are_found(void **state)
{
    (void)state;
    assert_true(spread_of(0, even, 2, 0.1).rare > 0.95);
    assert_true(spread_of(0.5, even, 2, 0.15).rare > 0.9);
    assert_true(spread_of(0, four, 4, 0.1).rare > 0.9);
}

/* Pearson's chi-square test treats draws as independent. In most runs with
 * correlated draws, it rejects chains with equal distributions. This is why
 * batches are needed. */
static void draws_taken_for_independent_are_the_fault(void **state)
{
    static double x[CHAINS * DRAWS];
    size_t wrong = 0, runs = 200;
    (void)state;
    for (size_t r = 0; r < runs; r++) {
        double mean[CHAINS] = {0}, all = 0, chi2 = 0;
        for (size_t c = 0; c < CHAINS; c++) {
            draw(x + c * DRAWS, DRAWS, 0.9, even, 2);
            for (size_t k = 0; k < DRAWS; k++)
                mean[c] += x[c * DRAWS + k] / DRAWS;
            all += mean[c] / CHAINS;
        }
        for (size_t c = 0; c < CHAINS; c++)
            chi2 +=
                DRAWS * (mean[c] - all) * (mean[c] - all) / (all * (1 - all));
        wrong += gsl_cdf_chisq_Q(chi2, CHAINS - 1) < 0.01;
    }
    assert_true(wrong > runs / 2);
}

static void what_cannot_be_told(void **state)
{
    static double x[2 * 64];
    (void)state;
    for (size_t k = 0; k < 128; k++)
        x[k] = 1;
    cs_homogeneity h = cs_homogeneity_of((cs_draws){x, 64, 2}, 0, 2);
    assert_true(isnan(h.p) && h.values == 1);
    for (size_t k = 0; k < 64; k++)
        x[k] = 0; /* each chain stays in another mode */
    h = cs_homogeneity_of((cs_draws){x, 64, 2}, 0, 2);
    assert_true(h.p == 0 && h.chi2 == HUGE_VAL && h.values == 2);
    assert_true(isnan(cs_homogeneity_of((cs_draws){x, 128, 1}, 0, 2).p));
    assert_true(isnan(cs_homogeneity_of((cs_draws){x, 63, 2}, 0, 2).p));
    assert_true(isnan(cs_homogeneity_of((cs_draws){x, 64, 2}, 0, 33).p));
    x[5] = 0.5;
    assert_true(isnan(cs_homogeneity_of((cs_draws){x, 64, 2}, 0, 2).p));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(by_hand),
    cmocka_unit_test(the_first_draws_are_left_out),
    cmocka_unit_test(slow_pairs_have_one_dimension),
    cmocka_unit_test(chains_in_step_are_alike),
    cmocka_unit_test(p_values_of_alike_chains_are_uniform),
    cmocka_unit_test(chains_of_another_law_are_found),
    cmocka_unit_test(draws_taken_for_independent_are_the_fault),
    cmocka_unit_test(what_cannot_be_told),
};
TESTS(test_homogeneity)
