/* Tests the multivariate effective size with values of R (data/multivariate, one
 * row per draw with its chain, and values by the definition of Vats, Flegal and
 * Jones in R 4.2.2), with the formula for two quantities written out, and with
 * its law for independent draws. */
#include "support/support.h"

#include "stat/multivariate_size.h"

#include <gsl/gsl_cdf.h>

#include <math.h>
#include <stdio.h>

enum { MOST = 1600, WIDE = 8 };

typedef struct table {
    size_t chains, n, d;
    double x[MOST][WIDE];
} table;

/* Reads a table with d columns after the number of the chain. */
static void read_table(const char *name, size_t d, table *t)
{
    char path[128];
    double chain = 0, last = 0;
    size_t rows = 0;
    snprintf(path, sizeof path, "unit/data/multivariate/%s.csv", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    *t = (table){.d = d};
    assert_int_equal(fscanf(f, "%*[^\n]"), 0);
    for (; fscanf(f, "%lf", &chain) == 1; rows++, last = chain) {
        assert_true(rows < MOST);
        t->chains += chain != last;
        for (size_t k = 0; k < d; k++)
            assert_int_equal(fscanf(f, ",%lf", &t->x[rows][k]), 1);
    }
    fclose(f);
    t->n = rows / t->chains;
}

/* Returns the size of the chains `first` to `end`. */
static double size_of(const table *t, size_t first, size_t end, size_t *used,
                      const char **why)
{
    cs_multivariate *m = cs_multivariate_new(t->d, t->n);
    assert_non_null(m);
    for (size_t i = first * t->n; i < end * t->n; i++)
        cs_multivariate_mean(m, t->x[i]);
    for (size_t i = first * t->n; i < end * t->n; i++)
        cs_multivariate_add(m, t->x[i]);
    double size = cs_multivariate_size(m, used, why);
    cs_multivariate_free(m);
    return size;
}

static void a_chain_has_the_size_that_r_computes(void **state)
{
    static const struct {
        const char *name;
        size_t d, chains;
        double size[4];
    } known[] = {
        {"iid_p2",
         2,
         3,
         {268.3713277913431, 304.94964849305205, 226.69738919454082}},
        {"var1_p3",
         3,
         4,
         {280.95045628595636, 368.0907112331012, 255.54352897696927,
          290.03286174638225}},
    };
    static table t;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        read_table(known[i].name, known[i].d, &t);
        assert_int_equal(t.chains, known[i].chains);
        for (size_t c = 0; c < t.chains; c++) {
            size_t used;
            const char *why;
            double size = size_of(&t, c, c + 1, &used, &why);
            assert_near(size, known[i].size[c], 1e-10, 0);
            assert_true(used == t.d && !why);
        }
    }
}

/* Adds the products of (x - mean x) and (y - mean y). */
static double products(const double *x, const double *y, size_t n)
{
    double a = 0, b = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        a += x[i] / (double)n;
        b += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - a) * (y[i] - b);
    return sum;
}

static double determinant(double *const x[2], size_t n, double factor)
{
    double f = factor / (double)(n - 1);
    double xy = f * products(x[0], x[1], n);
    return f * products(x[0], x[0], n) * f * products(x[1], x[1], n) - xy * xy;
}

static void several_chains_compare_batches_with_the_common_mean(void **state)
{
    static table t;
    static double draw[2][MOST], batch[2][MOST];
    (void)state;
    read_table("iid_p2", 2, &t);
    for (size_t i = 0; i < t.n; i++)
        t.x[i][1] += 0.3; /* chain 1 disagrees */
    size_t b = 17, a = t.n / b, all = t.n * t.chains, batches = 0;
    for (size_t i = 0; i < all; i++)
        for (size_t k = 0; k < 2; k++)
            draw[k][i] = t.x[i][k];
    for (size_t c = 0; c < t.chains; c++)
        for (size_t j = 0; j < a; j++, batches++)
            for (size_t i = 0; i < b; i++)
                for (size_t k = 0; k < 2; k++)
                    batch[k][batches] +=
                        draw[k][c * t.n + j * b + i] / (double)b;
    double *const x[2] = {draw[0], draw[1]}, *const y[2] = {batch[0], batch[1]};
    double want = (double)all * sqrt(determinant(x, all, 1) /
                                     determinant(y, batches, (double)b));
    const char *why;
    double size = size_of(&t, 0, t.chains, NULL, &why);
    assert_near(size, want, 1e-10, 0);
    for (size_t i = 0; i < t.n; i++)
        t.x[i][1] += 10;
    assert_true(size_of(&t, 0, t.chains, NULL, &why) < size / 2);
}

static void dependent_quantities_count_once(void **state)
{
    static table t;
    (void)state;
    read_table("var1_p3", 3, &t);
    const char *why;
    size_t used;
    double size = size_of(&t, 0, 4, &used, &why);
    t.d = 7;
    for (size_t i = 0; i < MOST; i++) {
        double *x = t.x[i];
        x[4] = 3e5 - 2 * x[0];
        x[5] = x[2];
        x[6] = x[0] - x[1] / 3 + 1e-3 * x[2];
        x[3] = 7;
    }
    assert_near(size_of(&t, 0, 4, &used, &why), size, 1e-8, 0);
    assert_int_equal(used, 3);
}

/* Returns a standard normal number; *at is the state of the generator. */
static double normal(uint64_t *at)
{
    *at = *at * 6364136223846793005u + 1442695040888963407u;
    return gsl_cdf_ugaussian_Pinv(((double)(*at >> 11) + 0.5) /
                                  9007199254740992.0);
}

/* The logarithm of the determinant of a Wishart matrix with v degrees of freedom
 * has the variance 2 p / v, so that of the size is 2 / (p v). */
static void independent_draws_have_their_number(void **state)
{
    enum { P = 5, N = 400, CHAINS = 4 };
    static table t;
    (void)state;
    t = (table){.chains = CHAINS, .n = N, .d = P};
    uint64_t at = 1;
    for (size_t i = 0; i < N * CHAINS; i++)
        for (size_t k = 0; k < P; k++)
            t.x[i][k] = normal(&at) + (k ? t.x[i][k - 1] : 0);
    const char *why;
    double size = size_of(&t, 0, CHAINS, NULL, &why);
    double error = sqrt(2.0 / (P * (CHAINS * N / 20 - 1)));
    assert_near(log(size / (N * CHAINS)), 0, 0, 3 * error);
}

/* Mean and standard deviation of log size over runs of independent draws have
 * errors of s / sqrt(runs) and s / sqrt(2 runs). The formulas take the covariance of
 * the draws as known. It has 399 degrees of freedom and the batches have 39, so that
 * this changes both by at most a tenth. */
static void batches_have_the_errors_of_a_wishart_matrix(void **state)
{
    enum { P = 6, N = 100, CHAINS = 4, RUNS = 400 };
    static table t;
    (void)state;
    uint64_t at = 7;
    double mean = 0, square = 0;
    for (size_t run = 0; run < RUNS; run++) {
        const char *why;
        t = (table){.chains = CHAINS, .n = N, .d = P};
        for (size_t i = 0; i < N * CHAINS; i++)
            for (size_t k = 0; k < P; k++)
                t.x[i][k] = normal(&at);
        double x = log(size_of(&t, 0, CHAINS, NULL, &why) / (N * CHAINS));
        mean += x / RUNS;
        square += x * x / RUNS;
    }
    double sd = sqrt(square - mean * mean);
    cs_batch_errors e = cs_batch_errors_of(N, CHAINS, P);
    assert_near(mean, e.excess, 0, 3 * sd / sqrt(RUNS) + e.excess / 10);
    assert_near(sd, e.error, 0, 3 * sd / sqrt(2.0 * RUNS) + e.error / 10);
    e = cs_batch_errors_of(100, 1, 10); /* ten batches, nine degrees */
    assert_true(isnan(e.error) && isnan(e.excess));
    assert_true(isnan(cs_batch_errors_of(0, 4, 2).error));
}

/* If 4 chains have 100 draws each, their batches have 10 draws. An autocorrelation
 * time of 10 draws leaves 40 effective draws. */
static void short_batches_are_known(void **state)
{
    (void)state;
    assert_true(cs_batches_are_short(100, 4, 39));
    assert_false(cs_batches_are_short(100, 4, 41));
    assert_false(cs_batches_are_short(100, 4, (double)NAN));
}

static void what_is_undefined_says_why(void **state)
{
    static table t;
    (void)state;
    const char *why;
    size_t used;
    t = (table){.chains = 1, .n = 9, .d = 4};
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < 4; k++)
            t.x[i][k] = pow((double)i, (double)k + 1);
    assert_true(isnan(size_of(&t, 0, 1, &used, &why)));
    assert_string_equal(
        why, "too few draws: batch means need more batches than quantities");
    t.x[3][2] = HUGE_VAL;
    assert_true(isnan(size_of(&t, 0, 1, &used, &why)));
    assert_string_equal(why, "a draw is not finite");
    t.x[3][2] = 1;
    t.n = 3; /* batches of one draw */
    t.chains = 3;
    assert_true(isnan(size_of(&t, 0, 3, &used, &why)));
    assert_string_equal(why, "too few draws in a chain");
    t = (table){.chains = 1, .n = 9, .d = 4};
    assert_true(isnan(size_of(&t, 0, 1, &used, &why)) && used == 0);
    assert_string_equal(why, "all draws are equal");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_chain_has_the_size_that_r_computes),
    cmocka_unit_test(several_chains_compare_batches_with_the_common_mean),
    cmocka_unit_test(dependent_quantities_count_once),
    cmocka_unit_test(independent_draws_have_their_number),
    cmocka_unit_test(batches_have_the_errors_of_a_wishart_matrix),
    cmocka_unit_test(short_batches_are_known),
    cmocka_unit_test(what_is_undefined_says_why),
};
TESTS(test_multivariate_size)
