/* Compares the probe `curvature` with second differences of the published log
 * masses, and with values computed by another program. */
#include "support/watch.h"

#include <gsl/gsl_eigen.h>
#include <stdlib.h>

/* The masses in "Entropy-Guided Sampling of Flat Modes in Discrete Spaces",
 * section 5.1, with the number of digits given there. */
static const double mass[16] = {0.07688966, 0.04725621, 0.125,      0.01667631,
                                0.08688745, 0.07688966, 0.07688966, 0.16756987,
                                0.04725621, 0.05825,    0.01667631, 0.04725621,
                                0.07688966, 0.04725621, 0.019004,   0.01335262};

static void bits(unsigned s, double *x)
{
    for (unsigned i = 0; i < 4; i++)
        x[i] = (double)(s >> (3 - i) & 1);
}

/* Returns the mixed difference of the log masses over bits i and j at corner s.
 * This is the second derivative of the multilinear interpolation of the log
 * masses. */
static double difference(unsigned s, unsigned i, unsigned j)
{
    unsigned a = 8u >> i, b = 8u >> j, low = s & ~a & ~b;
    if (i == j)
        return 0;
    return log(mass[low]) + log(mass[low | a | b]) - log(mass[low | a]) -
           log(mass[low | b]);
}

/* Computes the eigenvalues value[4] in ascending order. */
static void eigenvalues(unsigned s, double *value)
{
    gsl_matrix *h = gsl_matrix_alloc(4, 4);
    gsl_vector *v = gsl_vector_alloc(4);
    gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(4);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            gsl_matrix_set(h, i, j, difference(s, i, j));
    gsl_eigen_symm(h, v, w);
    for (size_t i = 0; i < 4; i++)
        value[i] = gsl_vector_get(v, i);
    gsl_eigen_symm_free(w);
    gsl_vector_free(v);
    gsl_matrix_free(h);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns a percentile by linear interpolation at the position (n - 1) q, which
 * is the default of numpy and of R. */
static double percentile(const double *sorted, size_t n, double q)
{
    double at = (double)(n - 1) * q;
    size_t low = (size_t)at;
    double next = low + 1 < n ? sorted[low + 1] : sorted[low];
    return sorted[low] + (at - (double)low) * (next - sorted[low]);
}

/* Under the target the eigenvalues have a mean of 0, a standard deviation of
 * 2.6462 and an interquartile range of 3.2243. These values were computed by an
 * enumeration in another program. */
static void the_exact_spectrum(void **state)
{
    (void)state;
    watch w;
    double x[16] = {0};
    assert_int_equal(watch_open(&w, "curvature", "bernoulli4", NULL, 0), CS_OK);
    watch_step(&w, x, NULL);
    watch_report(&w);
    assert_near(entry(&w, "exact", 0), 0, 0, 1e-12);
    assert_near(entry(&w, "exact", 1), 2.6462, 0, 5e-5);
    assert_near(entry(&w, "exact", 2), 3.2243, 0, 5e-5);
    double sum = 0;
    for (size_t b = 0; b < 48; b++)
        sum += entry(&w, "truth", b);
    assert_near(sum, 1, 1e-12, 0);
    watch_close(&w);
}

/* If all chains are in one state, the trace is 0. The trace of the squared
 * matrix is then the sum of the squares of all elements of the matrix. All
 * states are tried, so a state that is mistaken for another one is detected. */
static void one_state(void **state)
{
    (void)state;
    for (unsigned s = 0; s < 16; s++) {
        watch w;
        double x[16], square = 0, value[4];
        for (unsigned c = 0; c < WATCH_CHAINS; c++)
            bits(s, x + (size_t)4 * c);
        assert_int_equal(watch_open(&w, "curvature", "bernoulli4", NULL, 0), 0);
        for (int i = 0; i < 7; i++)
            watch_step(&w, x, NULL);
        watch_report(&w);
        for (unsigned i = 0; i < 4; i++)
            for (unsigned j = 0; j < 4; j++)
                square += pow(difference(s, i, j), 2);
        eigenvalues(s, value);
        assert_near(entry(&w, "eigenvalues", 0), 0, 0, 1e-12);
        assert_near(entry(&w, "eigenvalues", 1), sqrt(square / 4), 1e-6, 0);
        /* 28 of each value: each quartile is 1/4 of the way between two
         * values */
        double all[4 * 28];
        for (size_t k = 0; k < 4 * 28; k++)
            all[k] = value[k % 4];
        qsort(all, 4 * 28, sizeof *all, by_value);
        assert_near(entry(&w, "eigenvalues", 2),
                    percentile(all, 4 * 28, 0.75) -
                        percentile(all, 4 * 28, 0.25),
                    1e-6, 0);
        watch_close(&w);
    }
}

/* The reported values pool the states of all living chains. The test has 40
 * steps of four chains, one of which fails. (The authors' program pools 3200
 * states.) */
static void what_is_seen_is_pooled(void **state)
{
    (void)state;
    watch w;
    size_t n = 0;
    double all[4 * 4 * 40], mean = 0, square = 0, x[16];
    assert_int_equal(watch_open(&w, "curvature", "bernoulli4", NULL, 0), CS_OK);
    for (int i = 0; i < 40; i++) {
        w.failed[2] = i >= 11;
        for (unsigned c = 0; c < WATCH_CHAINS; c++) {
            unsigned s = (unsigned)(16 * watch_uniform());
            bits(s, x + (size_t)4 * c);
            if (!w.failed[c])
                eigenvalues(s, all + n);
            n += w.failed[c] ? 0 : 4;
        }
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    qsort(all, n, sizeof *all, by_value);
    for (size_t k = 0; k < n; k++)
        mean += all[k] / (double)n;
    for (size_t k = 0; k < n; k++)
        square += pow(all[k] - mean, 2) / (double)n;
    double iqr = percentile(all, n, 0.75) - percentile(all, n, 0.25);
    assert_near(entry(&w, "eigenvalues", 1), sqrt(square), 1e-6, 0);
    assert_near(entry(&w, "eigenvalues", 2), iqr, 1e-6, 0);
    assert_near(entry(&w, "eigenvalues", 3), (double)n, 0, 0);
    watch_close(&w);
}

/* The curvature of a Gaussian is -1 / variance at every state. The probe stores
 * the states that it observes, and thins them. From 500 steps of four chains it
 * keeps 62 states of each chain. */
static void a_normal_law(void **state)
{
    (void)state;
    static const double covariance[4] = {4, 0, 0, 0.25};
    const cs_value given[] = {{.name = "covariance",
                               .kind = CS_PARAM_ARRAY,
                               .given = 1,
                               .array = covariance,
                               .rows = 2,
                               .cols = 2}};
    watch w;
    double x[8];
    assert_int_equal(watch_open(&w, "curvature", "gaussian", given, 1), CS_OK);
    for (int i = 0; i < 500; i++) {
        for (size_t k = 0; k < 8; k++)
            x[k] = watch_normal();
        watch_step(&w, x, NULL);
    }
    watch_report(&w);
    assert_near(entry(&w, "eigenvalues", 0), -(0.25 + 4) / 2, 1e-6, 0);
    assert_near(entry(&w, "eigenvalues", 1), (4 - 0.25) / 2, 1e-6, 0);
    assert_near(entry(&w, "eigenvalues", 2), 4 - 0.25, 1e-6, 0);
    assert_near(entry(&w, "eigenvalues", 3), 2 * 4 * 62, 0, 0);
    watch_close(&w);
}

static void what_has_none(void **state)
{
    (void)state;
    cs_target *t;
    cs_probe p;
    cs_error err;
    const cs_value many = {
        .name = "dim", .kind = CS_PARAM_INT, .given = 1, .number = 65};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), &many, 1, &t, NULL),
        CS_OK);
    assert_int_equal(
        cs_probe_init(&p, cs_probe_find("curvature"), NULL, 0, t, &err),
        CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "64"));
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_exact_spectrum),     cmocka_unit_test(one_state),
    cmocka_unit_test(what_is_seen_is_pooled), cmocka_unit_test(a_normal_law),
    cmocka_unit_test(what_has_none),
};
TESTS(test_probe_curvature)
